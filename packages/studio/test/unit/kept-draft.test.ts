// Kept drafts: whose they are, what is never in them, and which have expired.

import t from 'tap'
import { buildModel } from '../../src/model/build.ts'
import { expiredDrafts, isOf, keyOfText, textOfKey, withoutSecrets } from '../../src/model/kept-draft.ts'

const place = { userId: 1, uid: 'api::page.page', subject: '7', locale: 'en' }
const key = { ...place, version: 'abc', form: 'f' }

t.test('a draft belongs to one user, entry and language', async t => {
  t.same(keyOfText(textOfKey(key)), key)
  t.equal(keyOfText('other'), null)
  t.equal(keyOfText(12), null)
  t.ok(isOf(key, place), 'in any version')
  for (const other of [{ userId: 2 }, { uid: 'api::a.a' }, { subject: 'new' }, { locale: null }])
    t.notOk(isOf(key, { ...place, ...other }), JSON.stringify(other))
  t.not(textOfKey({ ...key, version: 'def' }), textOfKey(key))
})

t.test('drafts that are too old or too many expire', async t => {
  const day = 86_400_000
  const now = 100 * day
  t.same(
    expiredDrafts(
      new Map([
        ['new', now - day],
        ['old', now - 31 * day],
      ]),
      now,
    ),
    ['old'],
  )
  const many = new Map(Array.from({ length: 52 }, (_, index) => [`draft ${index}`, now - index]))
  t.same(expiredDrafts(many, now), ['draft 50', 'draft 51'])
})

t.test('passwords and private values are not kept', async t => {
  const rights = {
    actions: new Set(['update']),
    readable: null,
    creatable: null,
    updatable: null,
    seesDrafts: true,
    locales: null,
  }
  const inner = { text: { type: 'string' }, key: { type: 'password' } }
  const model = buildModel({
    types: [
      {
        uid: 'api::page.page',
        displayName: 'Page',
        attributes: {
          title: { type: 'string' },
          password: { type: 'password' },
          pin: { type: 'string', private: true },
          part: { type: 'component', component: 'shared.part' },
          zone: { type: 'dynamiczone', components: ['shared.part'] },
        },
      },
    ],
    components: [{ uid: 'shared.part', displayName: 'Part', attributes: inner }],
    rights: new Map([['api::page.page', rights]]),
    actions: new Set(),
    settings: {},
  })
  const values = {
    title: 'A',
    password: 'secret',
    pin: '1234',
    part: { id: 1, text: 'a', key: 'secret' },
    zone: [{ __component: 'shared.part', text: 'b', key: 'secret' }],
  }
  t.same(withoutSecrets(values, model.types[0]!.attributes, model), {
    title: 'A',
    part: { id: 1, text: 'a' },
    zone: [{ __component: 'shared.part', text: 'b' }],
  })
})
