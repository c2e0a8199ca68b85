// What is compiled imports no `.ts` file: the compiler does not rewrite `import('./x.ts')` inside of `export default`.

import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { publishedIn } from '../published.ts'
import { root } from './fixtures/packed.ts'

const compilerOptions = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2024,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
}

t.test('dynamic imports of packages lead to compiled files', async t => {
  let found = 0
  for (const folder of (await publishedIn(root)).keys())
    for await (const path of glob('src/**/*.ts', { cwd: folder })) {
      const text = await readFile(join(folder, path), 'utf8')
      if (!/\bimport\(\s*['"]\.\.?\//.test(text)) continue
      found++
      const { outputText } = ts.transpileModule(text, { compilerOptions, fileName: path })
      t.notMatch(outputText, /\bimport\(\s*['"]\.[^'"]*\.ts['"]/, `${folder}/${path}`)
    }
  t.ok(found > 0, 'there are such imports')
})
