/** Paths that are written otherwise than those of the routes (CVE-2026-6414). */

import t from 'tap'
import { client } from '../boot.ts'
import { action, startMembers } from './members.ts'

t.test('CVE-2026-6414: encoded separators in a path lead to no other route', async t => {
  const members = await startMembers(t, { permissions: { public: [action('tag', 'find'), action('tag', 'findOne')] } })
  await members.of('tag').create({ data: { label: 'One' } })
  await members.of('person').create({ data: { fullName: 'Ann' } })
  const api = client(members.app)
  t.equal((await api.get('/api/tags/1')).status, 200)
  for (const path of [
    'tags/..%2fpeople',
    'tags/%2e%2e/people/1',
    'tags/..%2f..%2fapi%2fpeople%2f1',
    'tags/..%5cpeople%5c1',
    'tags/../people/1',
    'tags%2f..%2fpeople',
    'people%2f1',
    'people%2F1',
    'tags/1%2f..%2f..%2fpeople',
    'tags/.%2e/people',
    'tags//people/1',
    'tags;/people/1',
    'tags/1/../../people/1',
  ]) {
    const { status, text } = await api.get(`/api/${path}`)
    t.ok([400, 403, 404].includes(status), path, { status })
    t.notMatch(text, /Ann/, path)
  }
})
