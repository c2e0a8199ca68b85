// What the first page loads, compressed, with its font: at most 400 kB in at most 20 requests.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'

const folder = join(import.meta.dirname, '../lib')
const bound = 400_000

t.test(`the first page loads at most ${bound} bytes`, async t => {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  const { main, preloads, styles, font, icon } = manifest
  const names: readonly string[] = [main, ...preloads, styles, font, icon]
  const sizes = await Promise.all(
    names.map(async name => {
      const content = await readFile(join(folder, name))
      return name.endsWith('.woff2') ? content.length : gzipSync(content, { level: 9 }).length
    }),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  t.ok(total <= bound, `${total} bytes`)
  t.ok(total > 50_000, `${total} bytes`)
  t.ok(names.length <= 20, `${names.length} requests`)
  t.comment(`${total} bytes`)
})
