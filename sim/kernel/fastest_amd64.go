package kernel

// fastest returns the assembly if the processor and the operating system support AVX2, as nearly
// all have since 2013; with AVX-512, the products use vectors of twice that length.
func fastest() *set {
	switch short, long := features(); {
	case long:
		return &avx512
	case short:
		return &avx2
	}
	return &portable
}

var avx2 = set{
	name:          "avx2",
	matMul:        matMulAVX2,
	matMulTN:      matMulTNAVX2,
	matMulNT:      matMulNTAVX2,
	addBias:       addBiasAVX2,
	addBiasPlanes: addBiasPlanesAVX2,
	sumRows:       sumRowsAVX2,
	sumPlanes:     sumPlanesAVX2,
	relu:          reluAVX2,
	sigmoid:       sigmoidAVX2,
	reluBack:      reluBackAVX2,
	sigmoidBack:   sigmoidBackAVX2,
	softmaxCross:  softmaxCross,
	squared:       squaredAVX2,
	im2Col:        im2ColAVX2,
	col2Im:        col2ImAVX2,
	copyRows:      copyRowsAVX2,
	maxPool2:      maxPool2AVX2,
	maxPool2Back:  maxPool2BackAVX2,
	axpy:          axpyAVX2,
	lerp:          lerpAVX2,
	scale:         scaleAVX2,
	accumulate:    accumulateAVX2,
	trunc:         truncAVX2,
	shades:        shadesAVX2,
	gather:        gather,
	descend:       descendAVX2,
	momentum:      momentumAVX2,
	adam:          adamAVX2,
	dot:           dotAVX2,
	gram:          gramTiles,
}

var avx512 = func() set {
	s := avx2
	s.name = "avx512"
	s.matMul, s.matMulTN, s.matMulNT = matMulAVX512, matMulTNAVX512, matMulNTAVX512
	return s
}()

// features returns what the processor and the operating system support.
func features() (avx2, avx512 bool)
