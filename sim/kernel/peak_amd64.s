#include "textflag.h"

// SUM is one product and one sum of vectors.
#define SUM(x, sum, work) \
	VMULPS x, x, work \
	VADDPS work, sum, sum

// func peak256(turns int)
TEXT ·peak256(SB), NOSPLIT, $0-8
	MOVQ turns+0(FP), CX
	VXORPS Y8, Y8, Y8
turn:
	SUM(Y8, Y0, Y9)
	SUM(Y8, Y1, Y10)
	SUM(Y8, Y2, Y11)
	SUM(Y8, Y3, Y12)
	SUM(Y8, Y4, Y9)
	SUM(Y8, Y5, Y10)
	SUM(Y8, Y6, Y11)
	SUM(Y8, Y7, Y12)
	DECQ CX
	JNZ  turn
	VZEROUPPER
	RET

// func peak512(turns int)
TEXT ·peak512(SB), NOSPLIT, $0-8
	MOVQ turns+0(FP), CX
	VPXORD Z8, Z8, Z8
turn:
	SUM(Z8, Z0, Z9)
	SUM(Z8, Z1, Z10)
	SUM(Z8, Z2, Z11)
	SUM(Z8, Z3, Z12)
	SUM(Z8, Z4, Z9)
	SUM(Z8, Z5, Z10)
	SUM(Z8, Z6, Z11)
	SUM(Z8, Z7, Z12)
	DECQ CX
	JNZ  turn
	VZEROUPPER
	RET
