// Runs before the tests of the kernel: lets kernels find the packages of databases. These depend on the kernel, so the
// kernel cannot depend on them: turbo refuses a graph of packages with a cycle. The links stay, for tests that are run
// without the runner.

import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

const packages = join(import.meta.dirname, '../..')

export async function prepare(): Promise<void> {
  const folder = join(packages, 'kernel/node_modules/@plinth')
  await mkdir(folder, { recursive: true })
  for (const name of ['sqlite', 'mysql', 'postgres'])
    await symlink(join(packages, name), join(folder, name), 'dir').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
}
