// The published packages as an application installs them: packed by pnpm, and unpacked into a folder outside of the workspace.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { type Manifest, publishedIn } from '../plan.ts'

export const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** A new folder, which is removed after the test. */
export async function folderFor(t: Test): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'plinth-packed-')))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** Runs a program that the root of the workspace has installed. Throws an error with its output if it fails. */
export async function tool(path: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await run(process.execPath, [join(root, 'node_modules', path), ...args], { cwd })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${basename(path)} ${args.join(' ')}\n${stdout}${stderr}`)
  }
}

/** Packs all published packages and unpacks them into node_modules of `dir`. Returns the manifests in the tarballs. */
export async function packAll(dir: string): Promise<Manifest[]> {
  const manifests: Manifest[] = []
  for (const [folder, { name }] of await publishedIn(root)) {
    const target = join(dir, 'node_modules', name)
    const tarballs = join(dir, 'tarballs', name)
    await mkdir(target, { recursive: true })
    await mkdir(tarballs, { recursive: true })
    await tool('pnpm/bin/pnpm.cjs', ['pack', '--pack-destination', tarballs], folder)
    const [tarball] = await readdir(tarballs)
    await run('tar', ['-xzf', join(tarballs, tarball!), '-C', target, '--strip-components=1'])
    manifests.push(JSON.parse(await readFile(join(target, 'package.json'), 'utf8')))
  }
  return manifests
}
