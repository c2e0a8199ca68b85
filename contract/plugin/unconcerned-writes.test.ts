/** Plugins that do not concern a type leave its writes as they are: the same statements, in the same commits (trap T9). */
import { createContext, openAccess, type PluginsConfig } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { boot, testClient } from '../boot.ts'
import { info } from './stories.ts'

const localized = { pluginOptions: { i18n: { localized: true } } }
const tags = { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' }
const contentTypes = [
  { info: info('tag', 'tags'), attributes: { label: { type: 'string' } } },
  { info: info('memo', 'memos'), attributes: { text: { type: 'text' }, code: { type: 'uid' }, tags } },
  {
    info: info('page', 'pages'),
    ...localized,
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string', ...localized }, memo: { ...tags, target: 'api::memo.memo' } },
  },
]

/** The statements of writes that arrive together, each with its own observer, as text. */
async function statementsOf(t: Test, plugins: PluginsConfig) {
  const { kernel } = await boot(t, { dir: undefined, contentTypes, plugins })
  const caller = createContext({ ...openAccess, key: 'somebody' })
  const together = async (count: number, write: (i: number) => Promise<unknown>) => {
    const lists = Array.from({ length: count }, () => [] as string[])
    const observed = lists.map((list, i) =>
      kernel.observe({ onStatement: text => void list.push(text), onBegin() {}, onEnd() {} }, () => write(i)),
    )
    await Promise.all(observed)
    return lists
  }
  const memos = kernel.query('api::memo.memo', caller)
  const labels = kernel.query('api::tag.tag', caller)
  await labels.create({ data: { label: 'a' } })
  await memos.create({ data: {} })
  return {
    creations: await together(5, i => labels.create({ data: { label: `${i}` } })),
    updates: await together(5, i => labels.update(i + 1, { data: { label: `${i}!` } })),
    links: await together(1, i => memos.create({ data: { text: `${i}`, tags: [1, 2] } })),
    changes: await together(1, () => memos.update(1, { data: { code: 'a', tags: { connect: [3] } } })),
    deletions: await together(1, () => memos.delete(1)),
  }
}

t.test('writes of types that no plugin concerns', async t => {
  const without = await statementsOf(t, {})
  const plugins = { rest: true, 'draft-publish': true, i18n: { config: { locales: ['en', 'de'] } } }
  t.same(await statementsOf(t, plugins), without)
  t.ok(Object.values(without).every(lists => lists.every(list => list.length > 0)))
  if (testClient() !== 'sqlite') return
  t.same(
    without.updates.flat().filter(text => /savepoint/i.test(text)),
    [],
    'an update is private: it needs no savepoint',
  )
})
