#!/bin/sh
# fontkit 2.0.4, which shapes the text of pdfkit 0.20.2, sets the Thai vowel sara am after a tone mark wrong.
#
# Expected (OpenType, Thai shaping: decompose U+0E33 and move its nikhahit before the tone mark): the glyphs of "น้ำ" (water)
# are uni0E19 uni0E4D uni0E49.small uni0E32, as harfbuzzjs 1.6.4, browsers and Pango give them.
# Actual: uni0E19 uni0E49 uni0E4D uni0E32. The tone mark stays below the nikhahit, so PDFs of pdfkit show the two marks
# exchanged, without an error.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
  pdfkit@0.20.2 fontkit@2.0.4 harfbuzzjs@1.6.4 @expo-google-fonts/noto-sans-thai@0.4.2 >/dev/null 2>&1
cat >compare.mjs <<'JS'
import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'
import * as hb from 'harfbuzzjs'
const bytes = readFileSync('node_modules/@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf')
const font = fontkit.create(bytes)
const text = 'น้ำ'
const shaped = new hb.Font(new hb.Face(new hb.Blob(bytes)))
const buffer = new hb.Buffer()
buffer.addText(text)
buffer.guessSegmentProperties()
hb.shape(shaped, buffer)
const name = (id) => font.getGlyph(id).name
console.log('fontkit ', font.layout(text).glyphs.map(({ id }) => name(id)).join(' '))
console.log('harfbuzz', buffer.getGlyphInfos().map(({ codepoint }) => name(codepoint)).join(' '))
JS
node compare.mjs | tee seen
fontkit=$(sed -n 's/^fontkit  //p' seen)
harfbuzz=$(sed -n 's/^harfbuzz //p' seen)
[ "$fontkit" != "$harfbuzz" ]
