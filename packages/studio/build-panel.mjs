// Makes lib/ of src/: the modules, styles and fonts of the panel, so that no browser loads anything from elsewhere and no
// application installs React. Does nothing where lib/ is newer than its sources; with --force it builds all the same.
// `pnpm pack` runs this too, perhaps while servers start from the same working copy: so each file is replaced in one step,
// and the manifest last. JavaScript, because it runs before the version of Node that the workspace uses is installed. An
// installation for production has no esbuild, and no panel.

import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licensesOf } from '../../release/licenses.mjs'
import { replaceFile } from '../../release/replace-file.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const target = join(here, 'lib')
const manifestPath = join(target, 'manifest.json')

/** The languages for which there are messages. React Aria brings its strings in more than thirty. */
const languages = ['en-US', 'de-DE']

/** Modules that plugins of others import by these names, and what they are made of. */
const shared = {
  react: 'studio:react',
  'react/jsx-runtime': 'studio:react/jsx-runtime',
  'react-dom': 'studio:react-dom',
  '@plinth/studio/plugin': join(here, 'src/shared/plugin.ts'),
}
const fileOf = name => `shared-${name.replaceAll(/[^a-z]+/g, '-').replace(/^-/, '')}`

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPanel({ force: process.argv.includes('--force') })

/** Builds the panel if it is missing or older than its sources. */
export async function buildPanel({ force = false } = {}) {
  const sources = await sourcesOf()
  if (!force && (await isFresh(sources))) return
  const esbuild = await import('esbuild').catch(() => null)
  if (esbuild !== null) await bundle(esbuild, sources)
}

async function sourcesOf() {
  const names = await readdir(join(here, 'src'), { recursive: true, withFileTypes: true })
  return names.filter(one => one.isFile()).map(one => join(one.parentPath, one.name))
}

async function isFresh(sources) {
  const built = await stat(manifestPath).catch(() => null)
  if (built === null) return false
  const inputs = [...sources, join(here, 'package.json'), fileURLToPath(import.meta.url)]
  const times = await Promise.all(inputs.map(async path => (await stat(path)).mtimeMs))
  return times.every(time => time < built.mtimeMs)
}

async function bundle(esbuild, sources) {
  // The names that React exports depend on it.
  process.env.NODE_ENV = 'production'
  const styles = sources.filter(path => path.endsWith('.css')).sort(byLayer)
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: {
      main: join(here, 'src/app/main.tsx'),
      styles: 'studio:styles',
      icon: join(here, 'src/ui/icon.svg'),
      ...Object.fromEntries(Object.entries(shared).map(([name, entry]) => [fileOf(name), entry])),
    },
    outdir: target,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file', '.svg': 'copy' },
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: '/* Licenses: LICENSES.txt */' },
    legalComments: 'none',
    absWorkingDir: here,
    logLevel: 'error',
    metafile: true,
    write: false,
    plugins: [withoutOtherLanguages(), namedExports(), oneStylesheet(styles)],
  })
  await writePanel(outputFiles, metafile)
}

/** Tokens first, then what all pages share, then pages: later rules of equal weight win. */
function byLayer(left, right) {
  const rankOf = path => ['tokens.css', '/ui/', ''].findIndex(part => path.includes(part))
  return rankOf(left) - rankOf(right) || left.localeCompare(right)
}

/** Leaves out the strings of React Aria in other languages, which are modules such as `intl/table/fr-FR.mjs`. */
function withoutOtherLanguages() {
  return {
    name: 'without-other-languages',
    setup(build) {
      build.onLoad({ filter: /[/\\]intl[/\\].*[/\\][a-z]{2}-[A-Z]{2}\.mjs$/ }, ({ path }) => {
        const isKept = languages.includes(basename(path, '.mjs'))
        return isKept ? undefined : { contents: 'export default {}' }
      })
    },
  }
}

/** Modules that export what a CommonJS package has, each by its name, as modules that import them expect. */
function namedExports() {
  const require = createRequire(import.meta.url)
  return {
    name: 'named-exports',
    setup(build) {
      build.onResolve({ filter: /^studio:react/ }, ({ path }) => ({ path, namespace: 'named' }))
      build.onLoad({ filter: /.*/, namespace: 'named' }, ({ path }) => {
        const name = path.slice('studio:'.length)
        const names = Object.keys(require(name)).filter(one => one !== 'default')
        const exported = `export { ${names.join(', ')} } from '${name}'\nexport { default } from '${name}'\n`
        return { contents: exported, resolveDir: here, loader: 'js' }
      })
    },
  }
}

/**
 * One stylesheet with all styles, because those of modules that are loaded when needed would belong to no page. What
 * esbuild writes beside each module is left out.
 */
function oneStylesheet(styles) {
  return {
    name: 'one-stylesheet',
    setup(build) {
      build.onResolve({ filter: /^studio:styles$/ }, ({ path }) => ({ path, namespace: 'styles' }))
      build.onLoad({ filter: /.*/, namespace: 'styles' }, () => ({
        contents: styles.map(path => `@import ${JSON.stringify(path)};`).join('\n'),
        loader: 'css',
        resolveDir: here,
      }))
    },
  }
}

async function writePanel(outputFiles, metafile) {
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({ name: basename(path), output }))
  const entry = part => outputs.find(one => one.output.entryPoint?.endsWith(part)).name
  const stylesheet = outputs.find(one => one.output.entryPoint === 'styles:studio:styles').name
  const kept = outputFiles.filter(({ path }) => !path.endsWith('.css') || basename(path) === stylesheet)
  const main = entry('src/app/main.tsx')
  const manifest = {
    main,
    preloads: importsOf(main, outputs),
    styles: stylesheet,
    font: outputs.find(({ name }) => /latin-wght-normal.*\.woff2$/.test(name)).name,
    icon: outputs.find(({ name }) => /^icon-.*\.svg$/.test(name)).name,
    imports: Object.fromEntries(Object.keys(shared).map(name => [name, nameOf(fileOf(name), outputs)])),
    files: [...kept.map(({ path }) => basename(path)), 'LICENSES.txt'].sort(),
  }
  await mkdir(target, { recursive: true })
  for (const { path, contents } of kept) await writeIfMissing(path, contents)
  const inputs = Object.keys(metafile.inputs).map(file => join(here, file))
  await replaceFile(join(target, 'LICENSES.txt'), await licensesOf(inputs))
  await replaceFile(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`)
  await utimes(manifestPath, new Date(), new Date())
  for (const name of await readdir(target))
    if (name !== 'manifest.json' && !manifest.files.includes(name)) await rm(join(target, name))
}

/** The name of the module of an entry, with its hash. */
function nameOf(entry, outputs) {
  const pattern = new RegExp(`^${entry}-[A-Z0-9]+\\.js$`)
  return outputs.find(({ name, output }) => output.entryPoint && pattern.test(name)).name
}

/** The modules that a module imports at once, with theirs. */
function importsOf(name, outputs, reached = new Set()) {
  const { output } = outputs.find(one => one.name === name)
  for (const { path, kind } of output.imports) {
    const imported = basename(path)
    if (kind !== 'import-statement' || reached.has(imported)) continue
    reached.add(imported)
    importsOf(imported, outputs, reached)
  }
  return [...reached].sort()
}

/** The name contains a hash of the content, so a file that is there is the same. */
async function writeIfMissing(path, contents) {
  const isThere = await stat(path).then(
    found => found.size === contents.length,
    () => false,
  )
  if (!isThere) await replaceFile(path, contents)
}
