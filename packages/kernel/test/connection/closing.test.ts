// A kernel that is closed while its server says nothing: `close()` ends, and the code after it runs.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import { startProxy } from '@plinth/test-tools/proxy'
import t from 'tap'

const file = join(import.meta.dirname, '../fixtures/closing-process.ts')

for (const client of await databases()) {
  if (client === 'sqlite') continue
  t.test(`close() ends while the server is silent (${client})`, async t => {
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    const proxy = await startProxy(t, database)
    const child = spawn(process.execPath, [file, JSON.stringify(proxy.config)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    })
    const lines: string[] = []
    child.stdout.on('data', chunk => {
      lines.push(...String(chunk).trim().split('\n'))
      if (lines.length > 1) return
      proxy.freeze()
      child.stdin.end('close\n')
    })
    const [code] = await once(child, 'close')
    t.same({ lines, code }, { lines: ['open', 'closed'], code: 0 })
  })
}
