#include "textflag.h"

// func peak(turns int)
//
// Multiplies and adds vectors as fast as the machine can, for benchmarks: eight
// independent sums a turn.
TEXT ·peak(SB), NOSPLIT, $0-8
	MOVQ turns+0(FP), CX
	VXORPS Y8, Y8, Y8
#define SUM(sum, work) \
	VMULPS Y8, Y8, work \
	VADDPS work, sum, sum
turn:
	SUM(Y0, Y9)
	SUM(Y1, Y10)
	SUM(Y2, Y11)
	SUM(Y3, Y12)
	SUM(Y4, Y9)
	SUM(Y5, Y10)
	SUM(Y6, Y11)
	SUM(Y7, Y12)
	DECQ CX
	JNZ  turn
	VZEROUPPER
	RET
