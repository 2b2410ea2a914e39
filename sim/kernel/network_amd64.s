#include "textflag.h"
#include "each_amd64.h"

// The loops of a network's layers and losses.

// func reluAVX2(x []float32)
TEXT ·reluAVX2(SB), NOSPLIT, $0-24
	MOVQ x_base+0(FP), DI
	MOVQ x_len+8(FP), CX
	VXORPS Y14, Y14, Y14
#define RELU(GET, PUT) \
	GET(DI, Y0)            \
	VCMPPS $2, Y14, Y0, Y1 \
	VANDNPS Y0, Y1, Y0     \
	PUT(Y0, DI)
	EACH(RELU)
	DONE

// func reluBackAVX2(d, y []float32)
TEXT ·reluBackAVX2(SB), NOSPLIT, $0-48
	MOVQ d_base+0(FP), DI
	MOVQ d_len+8(FP), CX
	MOVQ y_base+24(FP), SI
	VXORPS Y14, Y14, Y14
#define RELUBACK(GET, PUT) \
	GET(SI, Y0)            \
	GET(DI, Y1)            \
	VCMPPS $2, Y14, Y0, Y0 \
	VANDNPS Y1, Y0, Y1     \
	PUT(Y1, DI)
	EACH(RELUBACK)
	DONE

// What Exp in exp.go computes with.
DATA exponent<>+0(SB)/4, $-104.0
DATA exponent<>+4(SB)/4, $89.0
DATA exponent<>+8(SB)/4, $1.44269504088896340736 // 1/ln 2
DATA exponent<>+12(SB)/4, $12582912.0 // 1.5·2²³
DATA exponent<>+16(SB)/4, $0.693359375
DATA exponent<>+20(SB)/4, $-2.12194440054690583e-4
DATA exponent<>+24(SB)/4, $0.00019841269841269841 // 1/5040
DATA exponent<>+28(SB)/4, $0.0013888888888888889 // 1/720
DATA exponent<>+32(SB)/4, $0.0083333333333333333 // 1/120
DATA exponent<>+36(SB)/4, $0.041666666666666667 // 1/24
DATA exponent<>+40(SB)/4, $0.16666666666666667 // 1/6
DATA exponent<>+44(SB)/4, $0.5
DATA exponent<>+48(SB)/4, $1.0
DATA exponent<>+52(SB)/4, $127
DATA exponent<>+56(SB)/4, $0x80000000
GLOBL exponent<>(SB), RODATA|NOPTR, $60

#define LOW      exponent<>+0(SB)
#define HIGH     exponent<>+4(SB)
#define LOG2E    exponent<>+8(SB)
#define SHIFT    exponent<>+12(SB)
#define LN2HIGH  exponent<>+16(SB)
#define LN2LOW   exponent<>+20(SB)
#define FACTOR7  exponent<>+24(SB)
#define FACTOR6  exponent<>+28(SB)
#define FACTOR5  exponent<>+32(SB)
#define FACTOR4  exponent<>+36(SB)
#define FACTOR3  exponent<>+40(SB)
#define FACTOR2  exponent<>+44(SB)
#define ONE      exponent<>+48(SB)
#define BIAS     exponent<>+52(SB)
#define SIGN     exponent<>+56(SB)

// One step of the polynomial in r (Y1): p·r and the next coefficient.
#define HORNER(next) \
	VMULPS       Y1, Y2, Y2 \
	VBROADCASTSS next, Y3   \
	VADDPS       Y3, Y2, Y2

// func sigmoidAVX2(x []float32)
//
// Of a NaN and a limit, VMAXPS and VMINPS take the NaN, which comes last.
TEXT ·sigmoidAVX2(SB), NOSPLIT, $0-24
	MOVQ x_base+0(FP), DI
	MOVQ x_len+8(FP), CX
	VBROADCASTSS LOW, Y7
	VBROADCASTSS HIGH, Y8
	VBROADCASTSS LOG2E, Y9
	VBROADCASTSS SHIFT, Y10
	VBROADCASTSS LN2HIGH, Y11
	VBROADCASTSS LN2LOW, Y12
	VBROADCASTSS ONE, Y13
	VBROADCASTSS BIAS, Y14
#define SIGMOID(GET, PUT) \
	GET(DI, Y0)                      \
	VBROADCASTSS SIGN, Y1            \
	VXORPS Y1, Y0, Y0  /* −x */      \
	VMAXPS Y0, Y7, Y0                \
	VMINPS Y0, Y8, Y0                \
	VMULPS Y0, Y9, Y5                \
	VADDPS Y10, Y5, Y5 /* shifted */ \
	VSUBPS Y10, Y5, Y3 /* n */       \
	VMULPS Y3, Y11, Y4               \
	VSUBPS Y4, Y0, Y1                \
	VMULPS Y3, Y12, Y4               \
	VSUBPS Y4, Y1, Y1  /* r */       \
	VBROADCASTSS FACTOR7, Y2         \
	HORNER(FACTOR6)         /* p */  \
	HORNER(FACTOR5)                  \
	HORNER(FACTOR4)                  \
	HORNER(FACTOR3)                  \
	HORNER(FACTOR2)                  \
	VMULPS Y1, Y2, Y2                \
	VMULPS Y1, Y2, Y2                \
	VADDPS Y1, Y2, Y2                \
	VADDPS Y13, Y2, Y2               \
	VPSLLD $9, Y5, Y5                \
	VPSRAD $9, Y5, Y5  /* k */       \
	VPSRAD $1, Y5, Y4  /* half */    \
	VPSUBD Y4, Y5, Y5                \
	VPADDD Y14, Y4, Y4               \
	VPADDD Y14, Y5, Y5               \
	VPSLLD $23, Y4, Y4               \
	VPSLLD $23, Y5, Y5               \
	VMULPS Y4, Y2, Y2                \
	VMULPS Y5, Y2, Y2  /* Exp(−x) */ \
	VADDPS Y13, Y2, Y2               \
	VDIVPS Y2, Y13, Y2               \
	PUT(Y2, DI)
	EACH(SIGMOID)
	DONE

// func sigmoidBackAVX2(d, y []float32)
TEXT ·sigmoidBackAVX2(SB), NOSPLIT, $0-48
	MOVQ d_base+0(FP), DI
	MOVQ d_len+8(FP), CX
	MOVQ y_base+24(FP), SI
	VBROADCASTSS ONE, Y13
#define SIGMOIDBACK(GET, PUT) \
	GET(SI, Y0)        \
	GET(DI, Y1)        \
	VSUBPS Y0, Y13, Y2 \
	VMULPS Y0, Y2, Y0  \
	VMULPS Y0, Y1, Y1  \
	PUT(Y1, DI)
	EACH(SIGMOIDBACK)
	DONE

// func squaredSum(out, want []float32) float32
TEXT ·squaredSum(SB), NOSPLIT, $0-52
	MOVQ out_base+0(FP), DI
	MOVQ out_len+8(FP), CX
	MOVQ want_base+24(FP), SI
	VXORPS Y0, Y0, Y0
#define SQUARES(GET, PUT) \
	GET(DI, Y1)       \
	GET(SI, Y2)       \
	VSUBPS Y2, Y1, Y1 \
	VMULPS Y1, Y1, Y1 \
	VADDPS Y1, Y0, Y0
	EACH(SQUARES)
	TREE(Y0, X0, X1)
	VMOVSS X0, ret+48(FP)
	DONE

// func squaredBack(grad, out, want []float32, slope float32)
TEXT ·squaredBack(SB), NOSPLIT, $0-76
	MOVQ grad_base+0(FP), R8
	MOVQ grad_len+8(FP), CX
	MOVQ out_base+24(FP), DI
	MOVQ want_base+48(FP), SI
	VBROADCASTSS slope+72(FP), Y14
#define SLOPES(GET, PUT) \
	GET(DI, Y1)        \
	GET(SI, Y2)        \
	VSUBPS Y2, Y1, Y1  \
	VMULPS Y14, Y1, Y1 \
	PUT(Y1, R8)
	EACH(SLOPES)
	DONE
