// The kernel of the application in a folder, which knows the model and leaves the database alone.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createKernel, type Kernel } from '@plinth/kernel'
import { Failure } from './failure.ts'

/** Where the application is, for every command. */
export const dirOption = { type: 'string', description: "the application's folder", valueHint: 'folder' } as const

/** The folder that `--dir` means. Throws where no application is there. */
export function folderOf(dir: string | undefined): string {
  const folder = resolve(dir ?? '.')
  const isOne = ['config', 'src/api', 'src/components'].some(name => existsSync(join(folder, name)))
  if (!isOne) throw new Failure(`${folder} holds no application: neither config/ nor src/api/ is there`)
  return folder
}

/** Hands the kernel to `work` and closes it. */
export async function withKernel<T>(dir: string | undefined, work: (kernel: Kernel) => Promise<T>): Promise<T> {
  const logger = { info: (text: string) => console.error(text), warn: () => {}, error: console.error }
  const kernel = await createKernel({ dir: folderOf(dir), migrate: 'none', logger })
  try {
    return await work(kernel)
  } finally {
    await kernel.close()
  }
}
