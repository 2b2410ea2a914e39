#include "textflag.h"

// The panel of the product where the processor has AVX-512: one register holds a
// row of the panel, whatever its width, as the lanes beyond it are masked.
// Registers:
//
//	DI   c, at the row            R8   bytes from row to row of c, R15 three times that
//	SI   a, at the row            R9   bytes from row to row of a, R13 three times that
//	DX   b                        R10  bytes from step to step of a
//	AX   a, at row and step       R11  bytes from step to step of b
//	R12  AX, four rows on         BX   b, at the step; c, four rows on
//	CX   steps left               K1   the lanes of the panel
//
// V0 to V7 are the sums of up to eight rows, V16 is a row of b, V17 and V18 are
// at work: registers of sixteen lanes, or of eight where these are enough. The
// rows left wait in their argument.

// One element of a, from its address, times the row of b, added to a sum.
#define ROW(from, sum) \
	VMULPS.BCST from, V16, V17 \
	VADDPS      V17, sum, sum

// The same for two rows; both products first is faster.
#define PAIR(from, sum, next, other) \
	VMULPS.BCST from, V16, V17 \
	VMULPS.BCST next, V16, V18 \
	VADDPS      V17, sum, sum  \
	VADDPS      V18, other, other

#define ZERO1 \
	VPXORD V0, V0, V0

#define LOAD1 \
	VMOVUPS.Z (DI), K1, V0

#define ROWS1 \
	ROW((AX), V0)

#define STORE1 \
	VMOVUPS V0, K1, (DI)

#define ZERO2 \
	ZERO1 \
	VPXORD V1, V1, V1

#define LOAD2 \
	LOAD1 \
	VMOVUPS.Z (DI)(R8*1), K1, V1

#define ROWS2 \
	PAIR((AX), V0, (AX)(R9*1), V1)

#define STORE2 \
	STORE1 \
	VMOVUPS V1, K1, (DI)(R8*1)

#define ZERO4 \
	ZERO2             \
	VPXORD V2, V2, V2 \
	VPXORD V3, V3, V3

#define LOAD4 \
	LOAD2                        \
	VMOVUPS.Z (DI)(R8*2), K1, V2 \
	VMOVUPS.Z (DI)(R15*1), K1, V3

#define ROWS4 \
	ROWS2 \
	PAIR((AX)(R9*2), V2, (AX)(R13*1), V3)

#define STORE4 \
	STORE2                     \
	VMOVUPS V2, K1, (DI)(R8*2) \
	VMOVUPS V3, K1, (DI)(R15*1)

#define ZERO8 \
	ZERO4             \
	VPXORD V4, V4, V4 \
	VPXORD V5, V5, V5 \
	VPXORD V6, V6, V6 \
	VPXORD V7, V7, V7

#define LOAD8 \
	LOAD4                        \
	LEAQ (DI)(R8*4), BX          \
	VMOVUPS.Z (BX), K1, V4       \
	VMOVUPS.Z (BX)(R8*1), K1, V5 \
	VMOVUPS.Z (BX)(R8*2), K1, V6 \
	VMOVUPS.Z (BX)(R15*1), K1, V7

#define ROWS8 \
	ROWS4                            \
	PAIR((R12), V4, (R12)(R9*1), V5) \
	PAIR((R12)(R9*2), V6, (R12)(R13*1), V7)

#define STORE8 \
	STORE4                     \
	LEAQ (DI)(R8*4), BX        \
	VMOVUPS V4, K1, (BX)       \
	VMOVUPS V5, K1, (BX)(R8*1) \
	VMOVUPS V6, K1, (BX)(R8*2) \
	VMOVUPS V7, K1, (BX)(R15*1)

// All steps of a group of rows. The last arguments are names for its labels.
#define GROUP(ZERO, LOAD, ROWS, STORE, begin, step) \
	ZERO                    \
	CMPB add+80(FP), $0     \
	JEQ  begin              \
	LOAD                    \
begin:                          \
	MOVQ SI, AX             \
	LEAQ (SI)(R9*4), R12    \
	MOVQ DX, BX             \
	MOVQ steps+32(FP), CX   \
step:                           \
	VMOVUPS.Z (BX), K1, V16 \
	ROWS                    \
	ADDQ R10, AX            \
	ADDQ R10, R12           \
	ADDQ R11, BX            \
	DECQ CX                 \
	JNZ  step               \
	STORE

// All rows of a panel.
#define PANEL \
	MOVQ c+0(FP), DI        \
	MOVQ a+8(FP), SI        \
	MOVQ b+16(FP), DX       \
	MOVQ cStride+48(FP), R8 \
	MOVQ aByRow+56(FP), R9  \
	MOVQ aByStep+64(FP), R10 \
	MOVQ bStride+72(FP), R11 \
	SHLQ $2, R8             \
	SHLQ $2, R9             \
	SHLQ $2, R10            \
	SHLQ $2, R11            \
	LEAQ (R8)(R8*2), R15    \
	LEAQ (R9)(R9*2), R13    \
	MOVQ width+40(FP), CX   \
	MOVQ $1, AX             \
	SHLQ CX, AX             \
	DECQ AX                 \
	KMOVW AX, K1            \
eight:                          \
	CMPQ rows+24(FP), $8    \
	JLT  four               \
	GROUP(ZERO8, LOAD8, ROWS8, STORE8, begin8, step8) \
	LEAQ (DI)(R8*8), DI     \
	LEAQ (SI)(R9*8), SI     \
	SUBQ $8, rows+24(FP)    \
	JMP  eight              \
four:                           \
	TESTQ $4, rows+24(FP)   \
	JEQ   two               \
	GROUP(ZERO4, LOAD4, ROWS4, STORE4, begin4, step4) \
	LEAQ (DI)(R8*4), DI     \
	LEAQ (SI)(R9*4), SI     \
two:                            \
	TESTQ $2, rows+24(FP)   \
	JEQ   one               \
	GROUP(ZERO2, LOAD2, ROWS2, STORE2, begin2, step2) \
	LEAQ (DI)(R8*2), DI     \
	LEAQ (SI)(R9*2), SI     \
one:                            \
	TESTQ $1, rows+24(FP)   \
	JEQ   done              \
	GROUP(ZERO1, LOAD1, ROWS1, STORE1, begin1, step1) \
done:                           \
	VZEROUPPER              \
	RET

#define V0 Z0
#define V1 Z1
#define V2 Z2
#define V3 Z3
#define V4 Z4
#define V5 Z5
#define V6 Z6
#define V7 Z7
#define V16 Z16
#define V17 Z17
#define V18 Z18

// func panel512(c, a, b *float32, rows, steps, width, cStride, aByRow, aByStep, bStride int, add bool)
TEXT ·panel512(SB), NOSPLIT, $0-81
	PANEL

// func listed512(c, a, b *float32, from *int32, steps, width, cStride int, add bool)
TEXT ·listed512(SB), NOSPLIT, $0-57
	MOVQ c+0(FP), DI
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), DX
	MOVQ from+24(FP), SI
	MOVQ cStride+48(FP), R8
	SHLQ $2, R8
	LEAQ (R8)(R8*2), R15
	MOVQ $4, R9
	MOVQ $12, R13
	MOVQ width+40(FP), CX
	MOVQ $1, BX
	SHLQ CX, BX
	DECQ BX
	KMOVW BX, K1
	MOVQ steps+32(FP), CX
	ZERO4
	CMPB add+56(FP), $0
	JEQ  begin
	LOAD4
begin:
	TESTQ CX, CX
	JEQ  done
step:
	MOVLQSX (SI), BX
	VMOVUPS.Z (DX)(BX*1), K1, V16
	ROWS4
	ADDQ $16, AX
	ADDQ $4, SI
	DECQ CX
	JNZ  step
done:
	STORE4
	VZEROUPPER
	RET

#undef V0
#define V0 Y0
#undef V1
#define V1 Y1
#undef V2
#define V2 Y2
#undef V3
#define V3 Y3
#undef V4
#define V4 Y4
#undef V5
#define V5 Y5
#undef V6
#define V6 Y6
#undef V7
#define V7 Y7
#undef V16
#define V16 Y16
#undef V17
#define V17 Y17
#undef V18
#define V18 Y18

// func panel512Half(c, a, b *float32, rows, steps, width, cStride, aByRow, aByStep, bStride int, add bool)
TEXT ·panel512Half(SB), NOSPLIT, $0-81
	PANEL
