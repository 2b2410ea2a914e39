package shell

import (
	"github.com/vugu/vjson"
	"github.com/vugu/vugu"
)

// What the generated components call for their nodes; see wasm/components.

func newElement(namespace, tag string, attributes []vugu.VGAttribute) *vugu.VGNode {
	return &vugu.VGNode{Type: vugu.ElementNode, Namespace: namespace, Data: tag, Attr: attributes}
}

func addElement(parent *vugu.VGNode, namespace, tag string, attributes []vugu.VGAttribute) *vugu.VGNode {
	n := newElement(namespace, tag, attributes)
	parent.AppendChild(n)
	return n
}

func addText(parent *vugu.VGNode, text string) {
	parent.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: text})
}

func addEvent(n *vugu.VGNode, name string, handle func(vugu.DOMEvent)) {
	n.DOMEventHandlerSpecList = append(n.DOMEventHandlerSpecList,
		vugu.DOMEventHandlerSpec{EventType: name, Func: handle})
}

func addProperty(n *vugu.VGNode, key string, value any) {
	b, err := vjson.Marshal(value)
	if err != nil {
		panic(err)
	}
	n.Prop = append(n.Prop, vugu.VGProperty{Key: key, JSONVal: vjson.RawMessage(b)})
}

// component returns the component of a place in a template, the same one in every redraw.
func component(in *vugu.BuildIn, place uint64, key any, make func() vugu.Builder) vugu.Builder {
	id := vugu.MakeCompKey(place^in.CurrentPositionHash(), key)
	c := in.BuildEnv.CachedComponent(id)
	if c == nil {
		c = make()
		in.BuildEnv.WireComponent(c)
	}
	in.BuildEnv.UseComponent(id, c)
	return c
}

func addComponent(out *vugu.BuildOut, parent *vugu.VGNode, c vugu.Builder) {
	out.Components = append(out.Components, c)
	parent.AppendChild(&vugu.VGNode{Component: c})
}
