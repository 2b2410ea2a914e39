#include "textflag.h"
#include "each_amd64.h"

// Loops over vectors that change one of them.

// func axpyAVX2(y []float32, a float32, x []float32)
TEXT ·axpyAVX2(SB), NOSPLIT, $0-56
	MOVQ y_base+0(FP), DI
	MOVQ y_len+8(FP), CX
	VBROADCASTSS a+24(FP), Y14
	MOVQ x_base+32(FP), SI
#define AXPY(GET, PUT) \
	GET(SI, Y0)        \
	GET(DI, Y1)        \
	VMULPS Y0, Y14, Y0 \
	VADDPS Y0, Y1, Y1  \
	PUT(Y1, DI)
	EACH(AXPY)
	DONE

// func shiftAVX2(y []float32, a float32)
TEXT ·shiftAVX2(SB), NOSPLIT, $0-28
	MOVQ y_base+0(FP), DI
	MOVQ y_len+8(FP), CX
	VBROADCASTSS a+24(FP), Y14
#define SHIFT(GET, PUT) \
	GET(DI, Y0)        \
	VADDPS Y14, Y0, Y0 \
	PUT(Y0, DI)
	EACH(SHIFT)
	DONE

// func scaleAVX2(y []float32, a float32)
TEXT ·scaleAVX2(SB), NOSPLIT, $0-28
	MOVQ y_base+0(FP), DI
	MOVQ y_len+8(FP), CX
	VBROADCASTSS a+24(FP), Y14
#define SCALE(GET, PUT) \
	GET(DI, Y0)        \
	VMULPS Y14, Y0, Y0 \
	PUT(Y0, DI)
	EACH(SCALE)
	DONE

// func blendAVX2(y []float32, rest, a float32, x []float32)
TEXT ·blendAVX2(SB), NOSPLIT, $0-56
	MOVQ y_base+0(FP), DI
	MOVQ y_len+8(FP), CX
	VBROADCASTSS rest+24(FP), Y13
	VBROADCASTSS a+28(FP), Y14
	MOVQ x_base+32(FP), SI
#define BLEND(GET, PUT) \
	GET(SI, Y0)        \
	GET(DI, Y1)        \
	VMULPS Y0, Y14, Y0 \
	VMULPS Y1, Y13, Y1 \
	VADDPS Y0, Y1, Y1  \
	PUT(Y1, DI)
	EACH(BLEND)
	DONE

// func truncAVX2(x []float32, power float32)
TEXT ·truncAVX2(SB), NOSPLIT, $0-28
	MOVQ x_base+0(FP), DI
	MOVQ x_len+8(FP), CX
	VBROADCASTSS power+24(FP), Y14
#define TRUNC(GET, PUT) \
	GET(DI, Y0)         \
	VMULPS Y14, Y0, Y0  \
	VROUNDPS $3, Y0, Y0 \
	VDIVPS Y14, Y0, Y0  \
	PUT(Y0, DI)
	EACH(TRUNC)
	DONE

// func accumulateAVX2(sum []float64, w float64, x []float32)
//
// Its vectors have four elements, and the last three go alone.
TEXT ·accumulateAVX2(SB), NOSPLIT, $0-56
	MOVQ sum_base+0(FP), DI
	MOVQ sum_len+8(FP), CX
	VBROADCASTSD w+24(FP), Y14
	MOVQ x_base+32(FP), SI
	SUBQ $4, CX
	JLT  rest
four:
	VCVTPS2PD (SI), Y0
	VMULPD Y0, Y14, Y0
	VADDPD (DI), Y0, Y0
	VMOVUPD Y0, (DI)
	ADDQ $16, SI
	ADDQ $32, DI
	SUBQ $4, CX
	JGE  four
rest:
	ADDQ $4, CX
	JEQ  end
one:
	VMOVSS (SI), X0
	VCVTSS2SD X0, X0, X0
	VMULSD X0, X14, X0
	VADDSD (DI), X0, X0
	VMOVSD X0, (DI)
	ADDQ $4, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  one
end:
	DONE

// func descendAVX2(params []float32, sum []float64, rate, divisor float64)
TEXT ·descendAVX2(SB), NOSPLIT, $0-64
	MOVQ params_base+0(FP), DI
	MOVQ params_len+8(FP), CX
	MOVQ sum_base+24(FP), SI
	VBROADCASTSD rate+48(FP), Y13
	VBROADCASTSD divisor+56(FP), Y14
	SUBQ $4, CX
	JLT  rest
four:
	VMOVUPD (SI), Y0
	VDIVPD Y14, Y0, Y0
	VMULPD Y0, Y13, Y0
	VCVTPS2PD (DI), Y1
	VSUBPD Y0, Y1, Y1
	VCVTPD2PSY Y1, X1
	VMOVUPS X1, (DI)
	ADDQ $16, DI
	ADDQ $32, SI
	SUBQ $4, CX
	JGE  four
rest:
	ADDQ $4, CX
	JEQ  end
one:
	VMOVSD (SI), X0
	VDIVSD X14, X0, X0
	VMULSD X0, X13, X0
	VMOVSS (DI), X1
	VCVTSS2SD X1, X1, X1
	VSUBSD X0, X1, X1
	VCVTSD2SS X1, X1, X1
	VMOVSS X1, (DI)
	ADDQ $4, DI
	ADDQ $8, SI
	DECQ CX
	JNZ  one
end:
	DONE

// func momentumAVX2(params, velocity, grad []float32, rate, mu float32)
TEXT ·momentumAVX2(SB), NOSPLIT, $0-80
	MOVQ params_base+0(FP), DI
	MOVQ params_len+8(FP), CX
	MOVQ velocity_base+24(FP), SI
	MOVQ grad_base+48(FP), R8
	VBROADCASTSS rate+72(FP), Y13
	VBROADCASTSS mu+76(FP), Y14
#define MOMENTUM(GET, PUT) \
	GET(SI, Y0)        \
	GET(R8, Y1)        \
	VMULPS Y0, Y14, Y0 \
	VADDPS Y0, Y1, Y0  \
	PUT(Y0, SI)        \
	GET(DI, Y1)        \
	VMULPS Y0, Y13, Y0 \
	VSUBPS Y0, Y1, Y1  \
	PUT(Y1, DI)
	EACH(MOMENTUM)
	DONE

// func adamAVX2(params, m, v, grad []float32, c adamStep)
TEXT ·adamAVX2(SB), NOSPLIT, $0-124
	MOVQ params_base+0(FP), DI
	MOVQ params_len+8(FP), CX
	MOVQ m_base+24(FP), SI
	MOVQ v_base+48(FP), R8
	MOVQ grad_base+72(FP), R9
	VBROADCASTSS c_beta1+96(FP), Y8
	VBROADCASTSS c_rest1+100(FP), Y9
	VBROADCASTSS c_beta2+104(FP), Y10
	VBROADCASTSS c_rest2+108(FP), Y11
	VBROADCASTSS c_rate+112(FP), Y12
	VBROADCASTSS c_root+116(FP), Y13
	VBROADCASTSS c_eps+120(FP), Y14
#define ADAM(GET, PUT) \
	GET(R9, Y0)                            \
	GET(SI, Y1)                            \
	VMULPS Y1, Y8, Y1                      \
	VMULPS Y0, Y9, Y2                      \
	VADDPS Y2, Y1, Y1  /* m */             \
	PUT(Y1, SI)                            \
	GET(R8, Y2)                            \
	VMULPS Y2, Y10, Y2                     \
	VMULPS Y0, Y0, Y0                      \
	VMULPS Y0, Y11, Y0                     \
	VADDPS Y0, Y2, Y2  /* v */             \
	PUT(Y2, R8)                            \
	VSQRTPS Y2, Y2                         \
	VDIVPS Y13, Y2, Y2                     \
	VADDPS Y14, Y2, Y2 /* √v/root + eps */ \
	VDIVPS Y2, Y1, Y1                      \
	VMULPS Y1, Y12, Y1                     \
	GET(DI, Y0)                            \
	VSUBPS Y1, Y0, Y0                      \
	PUT(Y0, DI)
	EACH(ADAM)
	DONE

// func shades8(dst *float32, src *uint8, n int)
TEXT ·shades8(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVL $0x437f0000, AX // 255
	VMOVD AX, X14
	VBROADCASTSS X14, Y14
shade:
	VPMOVZXBD (SI), Y0
	VCVTDQ2PS Y0, Y0
	VDIVPS Y14, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $8, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNE  shade
	VZEROUPPER
	RET
