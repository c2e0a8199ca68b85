// Errors 401 and 403 have v4's message alone, whatever code throws; only CredentialsError has its own (B-5.24, B-6.6,
// B-6.7).

import {
  CredentialsError,
  definePlugin,
  ForbiddenError,
  openAccess,
  PlinthError,
  PolicyError,
  UnauthorizedError,
  ValidationError,
} from '@plinth/kernel'
import t from 'tap'
import { start } from './fixtures/boot.ts'

const secret = { secret: 1 }
const thrown: Record<string, () => Error> = {
  forbidden: () => new ForbiddenError('my words', secret),
  policy: () => new PolicyError('my words', secret),
  unauthorized: () => new UnauthorizedError('my words', secret),
  made: () => new PlinthError(401, 'KeyError', 'my words', secret),
  credentials: () => new CredentialsError('Invalid credentials'),
  unknown: () => new CredentialsError(),
  valid: () => new ValidationError('my words', secret),
}

const throwing = definePlugin({
  name: 'throwing',
  register({ kernel }) {
    kernel.auth.use({
      name: 'named',
      authenticate({ headers }) {
        const error = thrown[String(headers['x-throw'])]
        if (error !== undefined) throw error()
        return openAccess
      },
    })
    kernel.hooks.on('onMount', app => {
      for (const [name, error] of Object.entries(thrown)) {
        app.get(`/api/${name}`, () => {
          throw error()
        })
      }
    })
  },
})

t.test('errors 401 and 403 have no message or details of code', async t => {
  const { app } = await start(t, { plugins: { throwing: { plugin: throwing } } })
  const bare = {
    forbidden: { status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} },
    unauthorized: { status: 401, name: 'UnauthorizedError', message: 'Unauthorized', details: {} },
  }
  const expected: Record<string, object> = {
    forbidden: bare.forbidden,
    policy: bare.forbidden,
    unauthorized: bare.unauthorized,
    made: bare.unauthorized,
    credentials: { ...bare.unauthorized, message: 'Invalid credentials' },
    unknown: { ...bare.unauthorized, message: 'Missing or invalid credentials' },
    valid: { status: 400, name: 'ValidationError', message: 'my words', details: secret },
  }
  for (const [name, error] of Object.entries(expected)) {
    t.same((await app.inject(`/api/${name}`)).json(), { data: null, error }, `${name}, by a route`)
    const answer = await app.inject({ url: '/api/tags', headers: { 'x-throw': name } })
    t.same(answer.json(), { data: null, error }, `${name}, by a strategy`)
  }
  t.match(
    new PolicyError(),
    { name: 'PolicyError', message: 'Policy Failed', status: 403 },
    'other transports have the message',
  )
})
