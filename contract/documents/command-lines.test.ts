// Every command line in the documents names commands, options, packages and scripts that there are. None is run here; those
// of the pages that apps/docs/test/pages.test.ts lists, of the tour and of the newcomer's run are.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { placed, readDocuments, valuesIn } from '@plinth/test-tools/documents'
import t from 'tap'
import { pluginsOf } from '../laws/plugins.ts'
import { commandLinesIn } from './command-lines.ts'
import { CommandCheck, otherPrograms } from './programs.ts'

const documents = await readDocuments()
const lines = [...documents].flatMap(([document, text]) => commandLinesIn(document, text))

/** The scripts of the packages that a document shows. */
const shown = new Map(
  [...documents].map(([document, text]) => {
    const manifests = placed(document, text).filter(one => one.language === 'json' && /"scripts": /.test(one.code))
    return [document, manifests.flatMap(one => Object.keys((valuesIn(one)[0] as { scripts: object }).scripts))] as const
  }),
)

const plugins = [...(await pluginsOf()).values()].filter(({ plinth }) => plinth.commands !== undefined)
// Below this package, which has all plugins among its dependencies.
await mkdir(join(import.meta.dirname, '../.data'), { recursive: true })
const dir = await mkdtemp(join(import.meta.dirname, '../.data/commands-'))
t.teardown(() => rm(dir, { recursive: true, force: true }))

/** The plugin with which docs/plugins.md begins, which adds a command. */
const greeting = placed('docs/plugins.md', documents.get('docs/plugins.md')!).find(({ path }) =>
  path?.startsWith('src/plugins/'),
)!
await mkdir(join(dir, 'config'))
await writeFile(join(dir, 'greeting.ts'), greeting.code)
const enabled = {
  rest: true,
  ...Object.fromEntries(plugins.map(({ plinth }) => [plinth.name, true])),
  greeting: { resolve: './greeting.ts' },
}
await writeFile(join(dir, 'config/plugins.json'), JSON.stringify(enabled))
const check = new CommandCheck(dir, plugins, shown)

t.test('mistakes are seen', async t => {
  for (const [text, fault] of [
    ['plinth strat', /unknown command "strat"/],
    ['npx plinth migrate plan --jsn', /--jsn/],
    ['plinth token create site --typ custom', /--typ/],
    ['plinth token revoke site shop', /takes 1 words, and not 2/],
    ['plinth user creat ann', /creat/],
    ['plinth export backup', /"backup" is too much/],
    ['npx pnpm@10 --filter site bild', /no script "bild"/],
    ['npx pnpm@10 --filter sit build', /no package "sit"/],
    ['npx pnpm@10 --filter example exec node src/none.ts', /no file/],
    ['npx pnpm@10 --filter library exec plinth migrate paln', /paln/],
    ['npm run devv', /no script "devv"/],
    ['npm install @plinth/uplaod sharp', /no package @plinth\/uplaod/],
    ['npm create plinth@latest library -- --databse postgres', /--databse/],
    ['npx --package=./tarballs/plinth-v5-0.0.0.tgz create-plinth x', /no package @plinth\/v5/],
    ['node node_modules/@plinth/cli/dist/bin.js strat', /strat/],
    ['make all', /the program "make"/],
  ] as const) {
    const [command] = commandLinesIn('docs/none.md', `\`\`\`sh\n${text}\n\`\`\``)
    t.match(await check.faultOf(command!), fault, text)
  }
  t.match(commandLinesIn('docs/none.md', 'One\nruns `plinth start --processes <n>` and `plinth user …`.'), [
    { words: ['plinth', 'start', '--processes', 'n'], place: 'docs/none.md:2' },
    { words: ['plinth', 'user'], place: 'docs/none.md:2' },
  ])
})

t.test('command lines', async t => {
  check.programs.clear()
  for (const line of lines) {
    const fault = await check.faultOf(line)
    if (fault === null || (line.isMention && / needs a value$/.test(fault))) continue
    t.fail(`${line.place}: ${line.words.join(' ')}: ${fault}`)
  }
  t.ok(lines.length > 250, `${lines.length} command lines`)
  t.same(
    Object.keys(otherPrograms).filter(name => !check.programs.has(name)),
    [],
    'no reason is left over',
  )
})

t.test('variables in front of a program are described', t => {
  const tables = ['docs/deployment.md', 'contract/README.md'].flatMap(path =>
    documents
      .get(path)!
      .match(/^\| `[A-Z][^|]*/gm)!
      .flatMap(cell => cell.match(/\w+/g)!),
  )
  // CONTRIBUTING.md describes it in sentences.
  const described = new Set([...tables, 'PLINTH_TEST_DATABASE'])
  const set = lines
    .filter(({ words }) => words.length > 0)
    .flatMap(({ variables, place }) => Object.keys(variables).map(name => [name, place] as const))
  t.ok(set.length > 3, `${set.length} variables`)
  for (const [name, place] of set) t.ok(described.has(name), `${place}: ${name}`)
  t.ok(described.has('NODE_ENV') && !described.has('NODE_ENVIRONMENT'))
  t.end()
})
