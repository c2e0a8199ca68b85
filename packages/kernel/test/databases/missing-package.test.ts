// A client whose package is not installed: the error names the package. Packages of other databases are not needed.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'

const index = new URL('../../src/index.ts', import.meta.url).href

/** Makes a kernel in a process in which packages are missing, and prints the error. */
const program = (client: string, missing: readonly string[]) => `
  import { registerHooks } from 'node:module'
  const missing = ${JSON.stringify(missing)}
  registerHooks({
    resolve(specifier, context, next) {
      if (!missing.includes(specifier)) return next(specifier, context)
      const message = \`Cannot find package '\${specifier}' imported from \${context.parentURL}\`
      throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
    },
  })
  const { createKernel } = await import(${JSON.stringify(index)})
  const connection = { filename: ':memory:', host: '127.0.0.1', port: 1, database: 'none', user: 'nobody' }
  const database = { client: '${client}', connection: '${client}' === 'sqlite' ? { filename: ':memory:' } : connection }
  await createKernel({ database, migrate: 'none' }).then(
    kernel => kernel.close().then(() => console.log('{}')),
    ({ code, message }) => console.log(JSON.stringify({ code, message })),
  )
`

async function start(client: string, missing: readonly string[]): Promise<unknown> {
  const args = ['--input-type=module', '--eval', program(client, missing)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } })
  return JSON.parse(stdout)
}

const packages = { sqlite: 'better-sqlite3', mysql: 'mysql2', postgres: 'pg' }

for (const [client, name] of Object.entries(packages)) {
  t.test(client, async t => {
    t.same(await start(client, [name]), {
      code: 'PLINTH_DATABASE_DRIVER',
      message: `config/database: the client "${client}" needs the package ${name}: npm install ${name}`,
    })
    const others = Object.values(packages).filter(one => one !== name)
    const answered = (await start(client, others)) as { code?: string }
    t.equal(answered.code, client === 'sqlite' ? undefined : 'PLINTH_DATABASE_CONNECTION', 'nothing else is loaded')
  })
}
