// EACH runs a body over vectors. The body is a macro of two others, GET(from, y)
// and PUT(y, to), by which it loads from and stores to addresses in registers:
// first whole vectors of eight, then, under the mask in Y15, what is left. CX
// holds the number of elements, AX the byte they are at.

#define GET(from, y) VMOVUPS (from)(AX*1), y
#define PUT(y, to) VMOVUPS y, (to)(AX*1)

#define GETREST(from, y) VMASKMOVPS (from)(AX*1), Y15, y
#define PUTREST(y, to) VMASKMOVPS y, Y15, (to)(AX*1)

#define EACH(BODY) \
	XORQ    AX, AX            \
	SUBQ    $8, CX            \
	JLT     rest              \
eight:                            \
	BODY(GET, PUT)            \
	ADDQ    $32, AX           \
	SUBQ    $8, CX            \
	JGE     eight             \
rest:                             \
	ADDQ    $8, CX            \
	JEQ     end               \
	LEAQ    ·tails(SB), BX    \
	NEGQ    CX                \
	VMOVUPS 32(BX)(CX*4), Y15 \
	BODY(GETREST, PUTREST)    \
end:

// DONE ends a function that has used Y registers.
#define DONE \
	VZEROUPPER \
	RET

// TREE adds the lanes of y, whose lower half is x, into the lowest of x: l and
// l+4, then l and l+2, then the last two.
#define TREE(y, x, work) \
	VEXTRACTF128 $1, y, work \
	VADDPS       work, x, x  \
	VMOVHLPS     x, x, work  \
	VADDPS       work, x, x  \
	VMOVSHDUP    x, work     \
	VADDSS       work, x, x
