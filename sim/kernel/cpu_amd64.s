#include "textflag.h"

// func hasAVX2() bool
//
// The processor must have AVX (bit 28 of leaf 1) and AVX2 (bit 5 of leaf 7),
// and the operating system must save the vector registers: it must have set
// OSXSAVE (bit 27 of leaf 1) and bits 1 and 2 of extended control register 0.
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JLT  no
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $(1<<27 | 1<<28), CX
	CMPL CX, $(1<<27 | 1<<28)
	JNE  no
	XORL CX, CX
	XGETBV
	ANDL $6, AX
	CMPL AX, $6
	JNE  no
	MOVL $7, AX
	XORL CX, CX
	CPUID
	SHRL $5, BX
	ANDL $1, BX
	MOVB BX, ret+0(FP)
no:
	RET
