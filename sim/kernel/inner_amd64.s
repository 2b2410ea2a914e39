#include "textflag.h"
#include "each_amd64.h"

// Sums over eight lanes: lane l of a vector is lane l of the rule.

// func planeSum(x []float32) float32
TEXT ·planeSum(SB), NOSPLIT, $0-28
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	VXORPS Y0, Y0, Y0
#define PLANE(GET, PUT) \
	GET(SI, Y1) \
	VADDPS Y1, Y0, Y0
	EACH(PLANE)
	TREE(Y0, X0, X1)
	VMOVSS X0, ret+24(FP)
	DONE

// func planeSum4(dst, x *float32, cols int)
//
// One sum waits for its last addition most of the time; four take turns.
TEXT ·planeSum4(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ cols+16(FP), CX
	LEAQ (CX*4), R8
	LEAQ (R8)(R8*2), R9
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
eight:
	VADDPS (SI), Y0, Y0
	VADDPS (SI)(R8*1), Y1, Y1
	VADDPS (SI)(R8*2), Y2, Y2
	VADDPS (SI)(R9*1), Y3, Y3
	ADDQ $32, SI
	SUBQ $8, CX
	JGT  eight
#define ADDTREE(y, x, to) \
	TREE(y, x, X4)  \
	VADDSS to, x, x \
	VMOVSS x, to
	ADDTREE(Y0, X0, (DI))
	ADDTREE(Y1, X1, 4(DI))
	ADDTREE(Y2, X2, 8(DI))
	ADDTREE(Y3, X3, 12(DI))
	DONE

// func dotAVX2(a, b []float32) float64
TEXT ·dotAVX2(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), SI
	MOVQ b_base+24(FP), DI
	MOVQ a_len+8(FP), CX
	VXORPD X5, X5, X5 // the sum
	SUBQ $256, CX
	JLT  last
block:
	VXORPS Y0, Y0, Y0
	MOVQ $32, DX
eight:
	VMOVUPS (SI), Y1
	VMULPS (DI), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ DX
	JNZ  eight
	TREE(Y0, X0, X1)
	VCVTSS2SD X0, X0, X0
	VADDSD X0, X5, X5
	SUBQ $256, CX
	JGE  block
last: // a block of less than 256 elements, perhaps of none, which adds 0
	VXORPS Y0, Y0, Y0
	ADDQ $(256-8), CX
	JLT  rest
lasteight:
	VMOVUPS (SI), Y1
	VMULPS (DI), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JGE  lasteight
rest:
	ADDQ $8, CX
	LEAQ ·tails(SB), BX
	NEGQ CX
	VMOVUPS 32(BX)(CX*4), Y2
	VMASKMOVPS (SI), Y2, Y1
	VMASKMOVPS (DI), Y2, Y3
	VMULPS Y1, Y3, Y1
	VADDPS Y1, Y0, Y0
	TREE(Y0, X0, X1)
	VCVTSS2SD X0, X0, X0
	VADDSD X0, X5, X5
	VMOVSD X5, ret+48(FP)
	DONE

// The tile: rows a in R8 to R10, rows b in R11 to R13, AX the byte in them.
// Y0 to Y8 are the lanes of the nine sums, Y9 to Y11 hold the rows a.

#define NINE(b0, b1, b2) \
	b0                   \
	VMULPS Y12, Y9, Y13  \
	VADDPS Y13, Y0, Y0   \
	VMULPS Y12, Y10, Y14 \
	VADDPS Y14, Y3, Y3   \
	VMULPS Y12, Y11, Y15 \
	VADDPS Y15, Y6, Y6   \
	b1                   \
	VMULPS Y12, Y9, Y13  \
	VADDPS Y13, Y1, Y1   \
	VMULPS Y12, Y10, Y14 \
	VADDPS Y14, Y4, Y4   \
	VMULPS Y12, Y11, Y15 \
	VADDPS Y15, Y7, Y7   \
	b2                   \
	VMULPS Y12, Y9, Y13  \
	VADDPS Y13, Y2, Y2   \
	VMULPS Y12, Y10, Y14 \
	VADDPS Y14, Y5, Y5   \
	VMULPS Y12, Y11, Y15 \
	VADDPS Y15, Y8, Y8

#define LOAD(row) VMOVUPS (row)(AX*1), Y12;

// The mask is reloaded into the register that then receives the row.
#define LOADREST(row) VMOVUPS (BX), Y12; VMASKMOVPS (row)(AX*1), Y12, Y12;

#define SUM(y, x, at) \
	TREE(y, x, X15)     \
	VCVTSS2SD x, x, x   \
	VADDSD at(DI), x, x \
	VMOVSD x, at(DI)

// func gramTile(sum *[9]float64, a, b *[3]*float32, n int)
TEXT ·gramTile(SB), NOSPLIT, $0-32
	MOVQ sum+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ 0(SI), R8
	MOVQ 8(SI), R9
	MOVQ 16(SI), R10
	MOVQ 0(DX), R11
	MOVQ 8(DX), R12
	MOVQ 16(DX), R13
	XORQ AX, AX

block: // DX elements of it in whole vectors, SI elements after them
	MOVQ $256, DX
	CMPQ CX, DX
	CMOVQLT CX, DX
	SUBQ DX, CX
	MOVQ DX, SI
	ANDQ $7, SI
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	VXORPS Y8, Y8, Y8
	SUBQ $8, DX
	JLT  rest
eight:
	VMOVUPS (R8)(AX*1), Y9
	VMOVUPS (R9)(AX*1), Y10
	VMOVUPS (R10)(AX*1), Y11
	NINE(LOAD(R11), LOAD(R12), LOAD(R13))
	ADDQ $32, AX
	SUBQ $8, DX
	JGE  eight
rest:
	TESTQ SI, SI
	JZ   sum
	LEAQ ·tails+32(SB), BX
	SHLQ $2, SI
	SUBQ SI, BX
	VMOVUPS (BX), Y12
	VMASKMOVPS (R8)(AX*1), Y12, Y9
	VMASKMOVPS (R9)(AX*1), Y12, Y10
	VMASKMOVPS (R10)(AX*1), Y12, Y11
	NINE(LOADREST(R11), LOADREST(R12), LOADREST(R13))
sum:
	SUM(Y0, X0, 0)
	SUM(Y1, X1, 8)
	SUM(Y2, X2, 16)
	SUM(Y3, X3, 24)
	SUM(Y4, X4, 32)
	SUM(Y5, X5, 40)
	SUM(Y6, X6, 48)
	SUM(Y7, X7, 56)
	SUM(Y8, X8, 64)
	TESTQ CX, CX
	JNZ  block
	DONE
