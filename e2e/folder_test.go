package e2e

import (
	"strings"
	"testing"
)

// folderOfPictures is a script with the function pictures(call), which calls call with sixty pictures of two classes as
// [place, file], and dropFolder, which drops a folder of them. A script can make no real folder, so the browser's part
// of it is imitated: what it has reads out in parts.
const folderOfPictures = `
	const pictures = async () => {
		const canvas = Object.assign(document.createElement("canvas"), { width: 12, height: 12 });
		const pen = canvas.getContext("2d"), out = [];
		for (let i = 0; i < 60; i++) {
			pen.fillStyle = i % 2 ? "#06c" : "#b60";
			pen.fillRect(0, 0, 12, 12);
			pen.fillStyle = "#fff";
			pen.fillRect(i % 5, i % 7, 4, 4);
			const blob = await new Promise((yes) => canvas.toBlob(yes, "image/png"));
			out.push(["pets/" + (i % 2 ? "cats" : "dogs") + "/" + i + ".png", new File([blob], i + ".png")]);
		}
		return [...out, ["pets/.DS_Store", new File(["x"], ".DS_Store")]];
	};
	const entry = (place, inside) => {
		const of = { name: place.split("/").pop(), fullPath: "/" + place, isDirectory: !(inside instanceof File) };
		if (!of.isDirectory) return { ...of, isFile: true, file: (yes) => yes(inside) };
		return { ...of, isFile: false, createReader: () => {
			const parts = [inside.slice(0, 7), inside.slice(7), []].filter((part, i) => part.length || i === 2);
			return { readEntries: (yes) => setTimeout(yes, 0, parts.shift()) };
		} };
	};
	const dropFolder = (files) => {
		const inside = (folder) => files.filter(([place]) => place.startsWith(folder + "/") && !place.slice(folder.length + 1).includes("/"))
			.map(([place, file]) => entry(place, file));
		const pets = entry("pets", [entry("pets/cats", inside("pets/cats")), entry("pets/dogs", inside("pets/dogs")), ...inside("pets")]);
		const event = new DragEvent("drop", { bubbles: true, cancelable: true });
		Object.defineProperty(event, "dataTransfer", { value: { files: [], items: [{ webkitGetAsEntry: () => pets }] } });
		document.body.dispatchEvent(event);
	};
`

// A folder of pictures, dropped or picked, is data with a class for each of its folders, as a zip archive of it is.
func TestFolder(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		for _, way := range []struct{ name, how string }{
			{"dropped", "dropFolder(files);"},
			{"picked", `const input = document.querySelector("#pick-folder"), list = files.map(([place, file]) =>
				Object.defineProperty(file, "webkitRelativePath", { value: place }));
				Object.defineProperty(input, "files", { value: list, configurable: true });
				input.dispatchEvent(new Event("change", { bubbles: true }));`},
		} {
			p.Run("?data=digits&n=200&C=4&T=1&algos=fedavg&every=1")
			p.Eval("(async () => {"+folderOfPictures+"const files = await pictures(); "+way.how+"})()", nil)
			p.When(complete + " && s.config.startsWith('data=samples')")
			p.Drawn()
			words := p.Text("document.querySelector('.file .hint').textContent")
			if !strings.HasPrefix(words, "pets: 60 images of 12 × 12 in 2 classes.") {
				t.Errorf("%s, the page says %q of the folder", way.name, words)
			}
			if got := p.figure("data"); !strings.Contains(got, "images of 12 × 12 pixels in 2 classes") {
				t.Errorf("%s, the data say %q", way.name, got)
			}
		}
		p.Click(".by-class")
		p.Drawn()
		if got := p.Text("document.querySelector('.card.data .reading').textContent"); !strings.Contains(got, "by the classes") {
			t.Errorf("by class the data say %q", got)
		}
		p.audit("pictures by class")
		p.Shot("folder-1440")
	})
}
