// `pnpm tarballs`: packs all published packages into the folder `tarballs` of the clone, from which create-plinth makes
// applications as long as a version is not published. They are built outside of the workspace, which stays as it is.

import { cp, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './test/fixtures/packed.ts'
import { prepareIn } from './test/fixtures/prepared.ts'

/** The packages that the command create-plinth itself needs. */
export const creating = ['create-plinth', 'plinth-v4', 'plinth-custom-fields']

/**
 * Packs the packages into the folder `target`, in the place of what it holds. Returns the names of the files. `prepare` builds
 * and packs them in a folder. Throws an error with what the compiler reports; then the former files stay.
 */
export async function packInto(
  target: string,
  prepare: (dir: string) => Promise<{ readonly report: string }> = prepareIn,
): Promise<readonly string[]> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'plinth-tarballs-')))
  try {
    const { report } = await prepare(dir)
    if (report !== '') throw new Error(report)
    await rm(target, { recursive: true, force: true })
    await cp(join(dir, 'tarballs'), target, { recursive: true })
    return (await readdir(target)).sort()
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The command that makes an application with the tarballs in `folder`. */
export function createCommand(folder: string, files: readonly string[], words: string): string {
  const own = creating.map(name => files.find(file => new RegExp(`^${name}-\\d`).test(file)))
  return `npx --yes ${own.map(file => `--package=${folder}/${file}`).join(' ')} create-plinth ${words} --tarballs ${folder}`
}

if (process.argv[1] === import.meta.filename) {
  const began = performance.now()
  console.log('Builds and packs the packages, which takes a minute or two.')
  const files = await packInto(join(root, 'tarballs'))
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(`${files.length} packages are in the folder tarballs (${seconds} s). An application beside the clone:

  ${createCommand('./tarballs', files, '../library --yes')}
`)
}
