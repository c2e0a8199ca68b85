// How large the client is in a bundle, and that it runs where there is nothing but the web's own globals.

import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build, stop } from 'esbuild'
import t from 'tap'

/** The client as one script, whose exports are those of `plinth`. */
async function bundle(): Promise<string> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: join(import.meta.dirname, '..'),
    entryPoints: ['src/index.ts'],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    globalName: 'plinth',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'silent',
  })
  await stop()
  const inputs = Object.keys(metafile.inputs)
  t.ok(
    inputs.every(one => one.startsWith('src/')),
    `no other package: ${inputs}`,
  )
  return outputFiles[0]!.text
}

const script = await bundle()

t.test('at most 4 kB gzipped', async t => {
  const { length } = gzipSync(script, { level: 9 })
  t.ok(length > 500 && length <= 4096, `${length} bytes`)
})

t.test('without globals of Node', async t => {
  const sent: string[] = []
  const web = {
    fetch: async (url: string) => {
      sent.push(url)
      return Response.json({ data: [{ id: 1, attributes: { title: 'A' } }], meta: {} })
    },
    Headers,
    FormData,
  }
  const context = createContext(web)
  t.equal(runInContext('typeof process + typeof Buffer + typeof require', context), 'undefinedundefinedundefined')
  const use = "plinth.createClient({ url: 'https://cms.example.com', flat: true })('articles').find({ sort: 'title' })"
  const answer = await runInContext(`${script}; ${use}.then(JSON.stringify)`, context)
  t.same(JSON.parse(answer), { data: [{ id: 1, title: 'A' }], meta: {} })
  t.same(sent, ['https://cms.example.com/api/articles?sort=title'])
})
