// `kernel.actions`: which actions exist, what they are called, and what applies to them.

import t, { type Test } from 'tap'
import { type Access, definePlugin, type Kernel, type KernelOptions, withRights } from '../../src/index.ts'
import { boot, thrown, type, uid } from '../fixtures/boot.ts'

const label = { label: { type: 'string' } }
const contentTypes = [type('tag', label), type('about', label, { kind: 'singleType' })]

/** A caller with these rights alone. */
const caller = (kernel: Kernel, ...rights: string[]) => {
  const access: Access = { key: rights.join(' '), user: null, can: scope => rights.includes(scope) }
  return kernel.context(access)
}

const fileUid = 'plugin::store.file'
const store = definePlugin({
  name: 'store',
  register({ kernel }) {
    kernel.actions.add('plugin::store.files.compress')
    kernel.hooks.on('preModel', { for: ({ uid }) => uid === 'api::tag.tag' }, draft =>
      kernel.actions.add(`${draft.uid}.polish`),
    )
    const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })
    kernel.contentTypes.add(
      { info: info('file'), attributes: label },
      {
        uid: fileUid,
        routes: 'own',
        actions: { find: 'plugin::store.content-api.find', delete: 'plugin::store.content-api.destroy' },
      },
    )
    kernel.contentTypes.add(
      { info: info('folder'), attributes: label },
      { uid: 'plugin::store.folder', internal: true },
    )
    kernel.contentTypes.add(
      { info: info('shelf'), attributes: label },
      { uid: 'plugin::store.shelf', internal: true, actions: { find: 'plugin::store.shelves.list' } },
    )
  },
})

const open = (t: Test, configure: KernelOptions['configure'] = () => {}) =>
  boot(t, { contentTypes, plugins: { store: { plugin: store } }, configure })

/** What a start with this configuration throws. */
const refusal = (t: Test, configure: (kernel: Kernel) => void) => thrown(t, () => open(t, configure))

const names = [
  'api::about.about.delete',
  'api::about.about.find',
  'api::about.about.update',
  'api::tag.tag.create',
  'api::tag.tag.delete',
  'api::tag.tag.find',
  'api::tag.tag.findOne',
  'api::tag.tag.polish',
  'api::tag.tag.update',
  'plugin::store.content-api.destroy',
  'plugin::store.content-api.find',
  'plugin::store.file.create',
  'plugin::store.file.findOne',
  'plugin::store.file.update',
  'plugin::store.files.compress',
  'plugin::store.shelves.list',
]

t.test('all actions are listed, also those that types name themselves', async t => {
  let atModel: readonly string[] = []
  const kernel = await open(t, one =>
    one.hooks.on('onModel', () => {
      atModel = one.actions.names
    }),
  )
  t.same(kernel.actions.names, names)
  t.same(atModel, names, 'in onModel already')
  t.ok(kernel.actions.has('api::tag.tag.find'))
  t.notOk(kernel.actions.has('api::tag.tag.count'))
  const { actions } = kernel
  t.same(
    (['find', 'findOne', 'count', 'create', 'update', 'delete'] as const).map(one => [
      actions.of(uid('tag'), one),
      actions.of(uid('about'), one),
      actions.of(fileUid, one),
    ]),
    [
      ['api::tag.tag.find', 'api::about.about.find', 'plugin::store.content-api.find'],
      ['api::tag.tag.findOne', 'api::about.about.find', 'plugin::store.file.findOne'],
      ['api::tag.tag.find', 'api::about.about.find', 'plugin::store.content-api.find'],
      ['api::tag.tag.create', 'api::about.about.update', 'plugin::store.file.create'],
      ['api::tag.tag.update', 'api::about.about.update', 'plugin::store.file.update'],
      ['api::tag.tag.delete', 'api::about.about.delete', 'plugin::store.content-api.destroy'],
    ],
  )
  t.equal(actions.of('plugin::store.folder', 'find'), 'plugin::store.folder.find', 'internal types have names too')
  t.throws(() => actions.of('api::tag.tug', 'find'), {
    code: 'PLINTH_TYPE_UNKNOWN',
    message: 'Unknown content type "api::tag.tug", did you mean "api::tag.tag"?',
  })
})

t.test('names and patterns of permissions', async t => {
  const { actions } = await open(t)
  t.same(actions.match('api::tag.tag.find'), ['api::tag.tag.find'])
  t.same(actions.match('api::about.about.*'), names.slice(0, 3))
  t.same(actions.match('api::tag.*'), names.slice(3, 9))
  t.same(actions.match('plugin::*'), names.slice(9))
  t.same(actions.match('*'), names)
  const unknown = (name: string, hint: string) =>
    t.throws(() => actions.match(name), {
      name: 'RegistrationError',
      code: 'PLINTH_ACTION_UNKNOWN',
      message: `Unknown action "${name}"${hint}`,
    })
  unknown('api::tag.tag.fnd', ', did you mean "api::tag.tag.find"?')
  unknown('api::tga.tag.*', ', did you mean "api::tag.tag.*"?')
  unknown('api::ta*', '')
  unknown('api::tag.*.find', ', did you mean "api::tag.tag.find"?')
  unknown('', '')
  t.doesNotThrow(() => actions.require('api::tag.tag.polish'))
  t.throws(() => actions.require('api::tag.tag.*'), { code: 'PLINTH_ACTION_UNKNOWN' })
})

t.test('an unknown permission stops the start and names the plugin', async t => {
  const guard = definePlugin({
    name: 'guard',
    register: ({ kernel }) => kernel.hooks.on('onModel', () => void kernel.actions.match('api::tag.tag.finde')),
  })
  const error = await thrown(t, () => boot(t, { contentTypes, plugins: { guard: { plugin: guard } } }))
  t.match(error, {
    code: 'PLINTH_ACTION_UNKNOWN',
    message: 'plugin guard: hook onModel: Unknown action "api::tag.tag.finde", did you mean "api::tag.tag.find"?',
  })
})

t.test('rights to operations go by the names of their actions', async t => {
  const kernel = await open(t)
  const file = (...rights: string[]) => kernel.query(fileUid, caller(kernel, ...rights))
  await t.resolves(file('plugin::store.content-api.find').findMany())
  await t.resolves(file('plugin::store.content-api.find').count())
  await t.rejects(file('plugin::store.file.find').findMany(), { name: 'ForbiddenError' })
  await t.rejects(file('plugin::store.content-api.find').delete(1), { name: 'ForbiddenError' })
  await t.resolves(file('plugin::store.content-api.destroy').delete(1))
  const about = (...rights: string[]) => kernel.query(uid('about'), caller(kernel, ...rights))
  await t.resolves(about('api::about.about.update').create({ data: { label: 'x' } }))
  await t.rejects(about('api::about.about.create').create({ data: { label: 'x' } }), { name: 'ForbiddenError' })
  await t.resolves(about('api::about.about.find').findOne(1))
})

t.test('an action that everybody may do', async t => {
  const kernel = await open(t, ({ actions }) => {
    actions.set('api::tag.tag.find', { auth: false })
    actions.set('plugin::store.files.compress', { auth: false })
  })
  const nobody = caller(kernel)
  const tags = kernel.query(uid('tag'), nobody)
  await t.resolves(tags.findMany())
  await t.resolves(tags.count())
  await t.rejects(tags.findOne(1), { name: 'ForbiddenError' })
  await t.rejects(tags.create({ data: {} }), { name: 'ForbiddenError' })
  t.doesNotThrow(() => kernel.authorize('plugin::store.files.compress', nobody))
  t.same([kernel.actions.isOpen('api::tag.tag.find'), kernel.actions.hasOpen], [true, true])
  t.notOk(kernel.actions.isOpen('api::tag.tag.findOne'))
  t.notOk((await open(t)).actions.hasOpen)
})

t.test('an action that needs the rights to others', async t => {
  const scope = ['api::tag.tag.find', 'api::tag.tag.update']
  const kernel = await open(t, ({ actions }) => {
    actions.set('api::tag.tag.delete', { auth: { scope } })
    actions.set('plugin::store.files.compress', { auth: { scope: ['api::tag.tag.find'] } })
  })
  const remove = (...rights: string[]) => kernel.query(uid('tag'), caller(kernel, ...rights)).delete(1)
  await t.rejects(remove('api::tag.tag.delete'), { name: 'ForbiddenError' })
  await t.rejects(remove('api::tag.tag.find'), { name: 'ForbiddenError' })
  await t.resolves(remove(...scope))
  t.same(kernel.actions.needs('api::tag.tag.delete'), scope)
  t.same(kernel.actions.needs('api::tag.tag.find'), ['api::tag.tag.find'])
  const { actions } = kernel
  const own = withRights(caller(kernel), actions.needs(actions.of(uid('tag'), 'delete')))
  await t.resolves(kernel.query(uid('tag'), own).delete(1), 'a plugin gives the rights that are needed')
  t.throws(() => kernel.authorize('plugin::store.files.compress', caller(kernel, 'plugin::store.files.compress')), {
    name: 'ForbiddenError',
  })
  t.doesNotThrow(() => kernel.authorize('plugin::store.files.compress', caller(kernel, 'api::tag.tag.find')))
})

t.test('of several calls, the last one holds for each key', async t => {
  const kernel = await open(t, ({ actions }) => {
    actions.set('api::tag.tag.find', { auth: false, policies: [] })
    actions.set('api::tag.tag.find', { auth: { scope: ['api::tag.tag.update'] } })
    actions.set('api::tag.tag.find', { policies: [] })
  })
  t.same(kernel.actions.needs('api::tag.tag.find'), ['api::tag.tag.update'])
})

t.test('mistakes stop the start', async t => {
  const mistakes: [(kernel: Kernel) => void, string, string?][] = [
    [
      ({ actions }) => actions.set('api::tag.tag.finds', { auth: false }),
      'action api::tag.tag.finds: does not exist, did you mean "api::tag.tag.find"?',
      'PLINTH_ACTION_UNKNOWN',
    ],
    [
      ({ actions }) =>
        actions.set('api::tag.tag.find', { auth: { scope: ['api::tag.tag.see', 'api::tag.tag.findone'] } }),
      'action api::tag.tag.find: auth.scope: there is no action "api::tag.tag.see"',
      'PLINTH_ACTION_UNKNOWN',
    ],
    [
      ({ actions }) => actions.set('api::tag.tag.find', { auth: { scope: [] } }),
      'action api::tag.tag.find: auth.scope must be a list with at least one action, found []',
    ],
    [
      ({ actions }) => actions.set('api::tag.tag.find', { auth: true as never }),
      'action api::tag.tag.find: auth must be false or { scope: […] }, found true',
    ],
    [
      ({ actions }) => actions.set('api::tag.tag.find', { polices: [] } as never),
      'action api::tag.tag.find: polices is not known, did you mean "policies"?',
    ],
    [
      ({ actions }) => actions.add('compress'),
      'action compress: the name must have the form plugin::<plugin>.<controller>.<action>, found "compress"',
    ],
    [
      ({ contentTypes }) => contentTypes.add(type('cup', label), { actions: { fnd: 'x' } as never }),
      'contentTypes.add: every key of actions must be one of find, findOne, create, update, delete, found "fnd", did you mean "find"?',
    ],
    [
      ({ contentTypes }) => contentTypes.add(type('cup', label), { actions: { find: 'cups' } }),
      'contentTypes.add: actions.find must have the form plugin::<plugin>.<controller>.<action>, found "cups"',
    ],
    [
      ({ contentTypes }) => contentTypes.add(type('cup', label), { routes: 'none' as never }),
      'contentTypes.add: routes must be one of own, found "none"',
    ],
  ]
  for (const [configure, message, code = 'PLINTH_DEFINITION_INVALID'] of mistakes)
    t.match(await refusal(t, configure), { name: 'RegistrationError', code, message: `the application: ${message}` })
})

t.test('registrations end with the freeze, and names begin with it', async t => {
  let early: unknown
  const kernel = await open(t, ({ actions }) => {
    try {
      void actions.names
    } catch (error) {
      early = error
    }
  })
  t.match(early, { name: 'UsageError', code: 'PLINTH_NOT_STARTED' })
  t.throws(() => kernel.actions.add('plugin::store.files.burn'), { code: 'PLINTH_FROZEN' })
  t.throws(() => kernel.actions.set('api::tag.tag.find', { auth: false }), { code: 'PLINTH_FROZEN' })
  t.throws(() => kernel.authorize('plugin::store.files.compres', caller(kernel)), {
    name: 'UsageError',
    code: 'PLINTH_ACTION_UNKNOWN',
    message: 'Unknown action "plugin::store.files.compres", did you mean "plugin::store.files.compress"?',
  })
})
