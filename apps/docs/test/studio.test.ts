// The pictures of docs/studio.md: each is of a scene, is stored, and can be taken again.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openExample } from 'example/testing'
import t from 'tap'
import { root } from '../src/contents.ts'
import { openGallery, picturesFolder, takePicture } from '../src/studio/pictures.ts'
import { scenes } from '../src/studio/scenes.ts'

const hint = '`npx pnpm@10 --filter docs pictures` takes them'

t.test('the document shows a picture of each scene', async t => {
  const text = readFileSync(join(root, 'docs/studio.md'), 'utf8')
  const shown = [...text.matchAll(/!\[[^\]]+\]\(images\/studio\/([^)]+)\.webp\)/g)].map(([, name]) => name!)
  const names = Object.keys(scenes).sort()
  t.same([...shown].sort(), names)
  const files = readdirSync(picturesFolder)
  t.same(files.sort(), names.map(name => `${name}.webp`).sort(), hint)
  for (const file of files) {
    const path = join(picturesFolder, file)
    t.equal(readFileSync(path).toString('latin1', 8, 12), 'WEBP', file)
    t.ok(statSync(path).size < 150_000, `${file} has less than 150 kB`)
  }
})

t.test('a picture can be taken again', async t => {
  const { app, close } = await openExample()
  t.teardown(close)
  const gallery = await openGallery(app)
  t.teardown(() => gallery.browser.close())
  const picture = Buffer.from(await takePicture(gallery, scenes.filter!), 'base64')
  t.equal(picture.toString('latin1', 8, 12), 'WEBP')
  const stored = statSync(join(picturesFolder, 'filter.webp')).size
  t.ok(picture.length > stored / 2 && picture.length < stored * 2, `${picture.length} bytes, stored ${stored}`)
})
