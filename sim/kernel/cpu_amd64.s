#include "textflag.h"

// func features() (avx2, avx512 bool)
//
// The processor must have AVX (bit 28 of leaf 1), and AVX2 (bit 5 of leaf 7) or
// AVX-512 (bits 16 and 31), and the operating system must save the registers: it must
// have set OSXSAVE (bit 27 of leaf 1) and, in extended control register 0, bits 1
// and 2, and for AVX-512 also 5 to 7.
TEXT ·features(SB), NOSPLIT, $0-2
	MOVB $0, avx2+0(FP)
	MOVB $0, avx512+1(FP)
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
	MOVL AX, DI
	ANDL $6, AX
	CMPL AX, $6
	JNE  no
	MOVL $7, AX
	XORL CX, CX
	CPUID
	MOVL BX, AX
	SHRL $5, AX
	ANDL $1, AX
	MOVB AX, avx2+0(FP)
	ANDL $0xE6, DI
	CMPL DI, $0xE6
	JNE  no
	MOVL BX, CX
	SHRL $16, BX
	SHRL $31, CX
	ANDL CX, AX
	ANDL BX, AX
	MOVB AX, avx512+1(FP)
no:
	RET
