/** Who counts as the public (B-6.5, B-6.6): everybody but those who show a token, since nobody can have one here. */
import t from 'tap'
import { boot, client } from './boot.ts'
import grants from './grants.ts'

t.test('authorization', async t => {
  const plugins = { rest: true, grants: { plugin: grants, config: { public: ['api::tag.tag.find'] } } }
  const api = client(await boot(t, { plugins }))
  const found = async (authorization: string) => (await api.get('/api/tags', { authorization })).status
  t.equal((await api.get('/api/tags')).status, 200, 'none')
  for (const header of ['Basic YTpi', 'garbage', '', 'Bearer', 'Bearer ', 'Bearerabc'])
    t.equal(await found(header), 200, `"${header}" is the public`)
  for (const header of ['Bearer abc.def.ghi', 'bearer x', 'BEARER  x']) t.equal(await found(header), 401, header)
  const refused = await api.get('/api/tags/1', { authorization: 'Basic YTpi' })
  t.match(refused.body.error, { status: 403, name: 'ForbiddenError' }, 'with no more rights')
  const strange = await api.get('/api/tags', { authorization: 'Bearer x' })
  t.match(strange.body.error, { name: 'UnauthorizedError', message: 'Missing or invalid credentials' })
})
