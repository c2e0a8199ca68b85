// Counts the files of a folder of the kernel whose functions run in one piece of work, and how often one of them calls
// the others. `node passed-files.ts` in this folder prints both for the creation of an entry on SQLite.

import { readFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createContext, createKernel, type Kernel, openAccess } from '@plinth/kernel'

const kernelSource = join(import.meta.dirname, '../packages/kernel/src')

/** The model of the creation that is counted: scalars, and links that are ordered from both sides. */
export const contentTypes = [
  type('tag', {
    label: { type: 'string' },
    articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
  }),
  type('article', {
    title: { type: 'string', required: true },
    on: { type: 'date' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
  }),
]

function type(name: string, attributes: object): object {
  const info = { singularName: name, pluralName: `${name}s`, displayName: name }
  return { uid: `api::${name}.${name}`, kind: 'collectionType', collectionName: `${name}s`, info, attributes }
}

/** The ranges of a file that ran, or did not; the innermost one that contains an offset decides. */
interface Ran {
  readonly url: string
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[]
  }[]
}

/** The files of a folder through which work passes. */
export interface Passage {
  /** The files whose functions ran, by name. */
  readonly files: readonly string[]
  /** The calls that one of the files makes to the others, as its text has them: after each, control returns to it. */
  readonly calls: readonly string[]
}

/** Work to count. */
interface Counted {
  /** The folder below the source of the kernel, and the file in it whose calls are counted. */
  readonly folder: string
  readonly center: string
  /** Returns the work, which runs once to warm up and once counted. */
  prepare(): Promise<() => Promise<unknown>>
}

/** Counts one run of work. Nothing may have run its functions before: V8 counts blocks of code that it compiles later. */
async function passage({ folder, center, prepare }: Counted): Promise<Passage> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    const work = await prepare()
    await work()
    await session.post('Profiler.takePreciseCoverage')
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    await session.post('Profiler.stopPreciseCoverage')
    const root = `${pathToFileURL(join(kernelSource, folder)).href}/`
    const scripts = result.filter(({ url }) => url.startsWith(root) && hasRun(url, result))
    const files = [...new Set(scripts.map(({ url }) => url.slice(root.length)))].sort()
    return { files, calls: await callsOf(join(kernelSource, folder, center), result) }
  } finally {
    session.disconnect()
  }
}

/** Whether a function of the file ran; the file itself, which runs when it is loaded, does not count. */
function hasRun(url: string, scripts: readonly Ran[]): boolean {
  return scripts.some(one => one.url === url && one.functions.some(({ ranges }) => isFunctionRun(ranges)))
}

function isFunctionRun(ranges: Ran['functions'][number]['ranges']): boolean {
  const [whole] = ranges
  return whole !== undefined && whole.startOffset > 0 && whole.count > 0
}

/** The calls of methods of other files of the folder, and of functions imported from them, that ran in a file. */
async function callsOf(path: string, scripts: readonly Ran[]): Promise<string[]> {
  const text = await readFile(path, 'utf8')
  const imported = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '\.\/[^']+'/gm)].flatMap(([, names]) =>
    names!.split(',').map(name => name.replace(/\btype\b/, '').trim()),
  )
  const members = [...text.matchAll(/^ {2}readonly (#\w+): (\w+)$/gm)]
    .filter(([, , type]) => imported.includes(type!))
    .map(([, name]) => name!)
  const ran = scripts.filter(({ url }) => url === pathToFileURL(path).href)
  const calls = [...text.matchAll(/(?:this\.(#\w+)\.\w+|(?<![\w.#])(\w+))\(/g)]
  return calls
    .filter(([, member, name]) => (member === undefined ? imported.includes(name!) : members.includes(member)))
    .filter(({ index }) => ran.some(script => isRun(script, index)))
    .map(([call]) => call.slice(0, -1))
}

/** Whether the code at an offset of a script ran. */
function isRun({ functions }: Ran, offset: number): boolean {
  const around = functions
    .flatMap(({ ranges }) => ranges)
    .filter(one => one.startOffset > 0 && one.startOffset <= offset && offset < one.endOffset)
    .sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))
  return around.length > 0 && around[0]!.count > 0
}

/** Counts the creation of an entry with links, as a transport asks for it. */
export function passageOfCreation(kernel: Kernel): Promise<Passage> {
  const uid = 'api::article.article'
  const prepare = async () => {
    for (const label of ['a', 'b']) await kernel.query('api::tag.tag').create({ data: { label } })
    const context = createContext(openAccess)
    const answer = kernel.reader.prepareAnswer({ uid, action: 'create', params: {} }, context)
    const data = { title: 'One', on: '2026-01-02', tags: [2, 1] }
    return () => kernel.writer.create({ uid, data, params: {}, context, answer })
  }
  return passage({ folder: 'write', center: 'writer.ts', prepare })
}

if (import.meta.main) {
  const kernel = await createKernel({
    contentTypes,
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
  })
  const { files, calls } = await passageOfCreation(kernel)
  console.log(`${files.length} files of write/: ${files.join(', ')}`)
  console.log(`${calls.length} calls of writer.ts to other files: ${calls.join(', ')}`)
  await kernel.close()
}
