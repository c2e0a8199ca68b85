// Messages of errors: they name the option, and contain no secret.

import { inspect } from 'node:util'
import { S3StandIn } from '@plinth/test-tools/s3'
import t, { type Test } from 'tap'
import { type S3Options, s3Provider } from '../src/index.ts'
import { errorOf, file, MiB, never, storage } from './fixtures/storage.ts'

const secrets = ['stand-in/secret+key', 'WRONGSECRET', 'AKIAWRONG', 'AKIASTANDIN', 'AWS4-HMAC']

/** The messages of all functions that send requests. */
async function messagesOf(t: Test, options: S3Options): Promise<Set<string>> {
  const { provider } = await storage(t, { ...options, maxAttempts: 1 })
  const errors = await Promise.all([
    errorOf(provider.store(file('a', 100), never)),
    errorOf(provider.store(file('a', 6 * MiB), never)),
    errorOf(provider.open('a')),
    errorOf(provider.remove('a')),
  ])
  for (const error of errors)
    for (const secret of secrets) t.notOk(inspect(error, { depth: 9, showHidden: true }).includes(secret), secret)
  const messages = errors.map(error => ((error.cause as Error | undefined) ?? error).message)
  return new Set(messages.map(message => message.replace(/^S3 bucket "\S+": \w+ of "a" failed: /, '')))
}

t.test('wrong credentials', async t => {
  const { accessKeyId, secretAccessKey } = { accessKeyId: 'AKIASTANDIN', secretAccessKey: 'stand-in/secret+key' }
  t.same(
    await messagesOf(t, { credentials: { accessKeyId: 'AKIAWRONG', secretAccessKey } }),
    new Set(['the storage does not know the access key of credentials.accessKeyId (InvalidAccessKeyId)']),
  )
  t.same(
    await messagesOf(t, { credentials: { accessKeyId, secretAccessKey: 'WRONGSECRET' } }),
    new Set([
      'credentials.secretAccessKey is not the secret of credentials.accessKeyId, or a proxy changes the requests (SignatureDoesNotMatch)',
    ]),
  )
  const none = async () => {
    throw Object.assign(new Error('Could not load credentials from any providers'), {
      name: 'CredentialsProviderError',
    })
  }
  t.same(
    await messagesOf(t, { credentials: none }),
    new Set([
      'there are no credentials: set credentials, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (CredentialsProviderError)',
    ]),
  )
})

t.test('credentials by a function', async t => {
  const s3 = await S3StandIn.start()
  t.teardown(() => s3.close())
  const provider = s3Provider({ ...s3.options, credentials: async () => s3.credentials })
  await provider.store(file('a', 100), never)
  t.same(s3.keys, ['a'])
})

t.test('wrong places', async t => {
  t.same(
    await messagesOf(t, { bucket: 'other' }),
    new Set(['there is no bucket "other" (option bucket) (NoSuchBucket)']),
  )
  t.same(
    await messagesOf(t, { region: 'eu-west-3' }),
    new Set([
      'the bucket is not in region "eu-west-3" (option region); it is in "eu-central-1" (AuthorizationHeaderMalformed)',
    ]),
  )
  t.same(
    await messagesOf(t, { endpoint: 'http://127.0.0.1:9' }),
    new Set(['http://127.0.0.1:9 cannot be reached (option endpoint) (ECONNREFUSED)']),
  )
  t.same(
    await messagesOf(t, { endpoint: 'http://no-such-host.invalid' }),
    new Set(['http://no-such-host.invalid cannot be reached (option endpoint) (ENOTFOUND)']),
  )
})

t.test('a bucket that takes no rights', async t => {
  const { s3, provider } = await storage(t, { acl: 'public-read' })
  s3.faults.add('PutObject', { status: 400, code: 'AccessControlListNotSupported' })
  const { message } = await errorOf(provider.store(file('a', 100), never))
  t.match(message, 'the bucket takes no rights of objects, but acl is "public-read": remove it')
})

t.test('an error that is not known keeps the words of the storage', async t => {
  const { s3, provider } = await storage(t)
  s3.faults.add('PutObject', { status: 400, code: 'QuotaExceeded' })
  const error = await errorOf(provider.store(file('a', 100), never))
  t.equal(error.message, 'S3 bucket "files": PutObject of "a" failed: As the test wants it (QuotaExceeded)')
  t.match(error, { code: 'PLINTH_UPLOAD_STORAGE', reason: 'QuotaExceeded' })
})
