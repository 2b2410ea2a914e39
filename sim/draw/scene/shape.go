package scene

import "math"

// Shape is the outline of a mark. On the page it stands for the planted group of a client.
type Shape uint8

// The shapes, in the order of the groups.
const (
	Circle Shape = iota
	Square
	Diamond
	TriangleUp
	TriangleDown
	Plus
	Star
	Hexagon
	Cross
	Hourglass
	TriangleRight
	TriangleLeft
	Bow
	Bar
	Pillar
	Spark
	Shapes int = iota
)

// Liar is the mark of a client that lies: it belongs to no group.
const Liar = Shape(Shapes)

var shapeNames = [Shapes + 1]string{"circle", "square", "diamond", "triangle",
	"upside-down triangle", "plus", "star", "hexagon", "cross", "hourglass",
	"right-hand triangle", "left-hand triangle", "bow", "bar", "pillar", "spark", "liar"}

func (s Shape) String() string { return shapeNames[s] }

// outlines are the corners of each shape around (0, 0) for a mark of radius 1, as x, y pairs. All
// shapes have about the area of the unit circle. paint.js has the same table; a test compares
// them.
var outlines = [Shapes + 1][]float32{
	Square:       ring(4, 1.253, 1.253, 45),
	Diamond:      ring(4, 1.253, 1.253, 0),
	TriangleUp:   ring(3, 1.45, 1.45, -90),
	TriangleDown: ring(3, 1.45, 1.45, 90),
	Plus: {-0.38, -1.25, 0.38, -1.25, 0.38, -0.38, 1.25, -0.38, 1.25, 0.38, 0.38, 0.38,
		0.38, 1.25, -0.38, 1.25, -0.38, 0.38, -1.25, 0.38, -1.25, -0.38, -0.38, -0.38},
	Star:    ring(10, 1.6, 0.66, -90),
	Hexagon: ring(6, 1.1, 1.1, 0),
	Cross: {-1.153, -0.615, -0.615, -1.153, 0, -0.537, 0.615, -1.153, 1.153, -0.615, 0.537, 0,
		1.153, 0.615, 0.615, 1.153, 0, 0.537, -0.615, 1.153, -1.153, 0.615, -0.537, 0},
	Hourglass:     {-1.1, -1.4, 1.1, -1.4, 0.2, 0, 1.1, 1.4, -1.1, 1.4, -0.2, 0},
	TriangleRight: ring(3, 1.45, 1.45, 0),
	TriangleLeft:  ring(3, 1.45, 1.45, 180),
	Bow:           {-1.4, -1.1, 0, -0.2, 1.4, -1.1, 1.4, 1.1, 0, 0.2, -1.4, 1.1},
	Bar:           {-1.6, -0.5, 1.6, -0.5, 1.6, 0.5, -1.6, 0.5},
	Pillar:        {-0.5, -1.6, 0.5, -1.6, 0.5, 1.6, -0.5, 1.6},
	Spark:         ring(8, 1.75, 0.62, -90),
	Liar:          {-1.4, -1.6, -0.5, -0.8, 0.5, -0.8, 1.4, -1.6, 1.05, 0.5, 0, 1.4, -1.05, 0.5}, // with horns
}

// ring returns n corners at two alternating radii, starting at an angle in degrees.
func ring(n int, even, odd, from float64) []float32 {
	out := make([]float32, 0, 2*n)
	for i := range n {
		radius := even
		if i%2 == 1 {
			radius = odd
		}
		sin, cos := math.Sincos((from + float64(i)*360/float64(n)) * math.Pi / 180)
		out = append(out, float32(radius*cos), float32(radius*sin))
	}
	return out
}

// Outline returns the corners of the shape around (0, 0) for a mark of radius
// 1, as x, y pairs; nil for the circle. Do not modify.
func (s Shape) Outline() []float32 { return outlines[s] }

// reach returns the extent of a shape from its centre, in radii.
func (s Shape) reach() float32 {
	far := float32(0)
	for _, v := range outlines[s] {
		far = max(far, v, -v)
	}
	if far == 0 {
		return 1
	}
	return far
}
