// The schema that `plinth graphql schema` prints, without a server, has the subscriptions.

import graphql from '@plinth/graphql'
import { createKernel } from '@plinth/kernel'
import t from 'tap'
import { pluginsWith } from './fixtures/boot.ts'
import { components, contentTypes } from './fixtures/model.ts'

t.test('subscriptions are printed', async t => {
  const { rest: _rest, ...plugins } = pluginsWith({})
  const kernel = await createKernel({
    dir: import.meta.dirname,
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    contentTypes: contentTypes as never,
    components: components as never,
    plugins,
    migrate: 'none',
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  t.teardown(() => kernel.close())
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const { run } = graphql.plinth.commands!.graphql!.commands.schema!
  await run({ kernel, config: { shadowCRUD: true }, words: [], options: {}, print, remark: () => {} })
  const [, fields = ''] = /^type Subscription \{\n([\s\S]*?)^\}/m.exec(lines.join('\n')) ?? []
  const names = [...fields.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!)
  t.ok(names.length > 0)
  t.same(
    names.filter(name => !name.endsWith('Changed')),
    [],
  )
})
