// The options: which are refused and how, which defaults they have, and what those of v4 become.

import t from 'tap'
import provider, { type S3Options, s3Provider } from '../src/index.ts'
import { resolveSettings } from '../src/settings.ts'

const MiB = 1024 * 1024
const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not-to-be-told' }

/** The mistakes that a start names. */
function mistakesOf(options: unknown): string[] {
  try {
    resolveSettings(options as S3Options, {})
  } catch (error) {
    const { message, code } = error as Error & { code: string }
    if (code !== 'PLINTH_PLUGIN_CONFIG') throw error
    const lines = message.replace(/^config\/plugins: /, '').split('\n  - ')
    return lines.filter(line => line !== '').map(line => line.replace('upload.config.providerOptions.', ''))
  }
  return []
}

t.test('defaults', async t => {
  t.same(resolveSettings({ bucket: 'files', region: 'eu-central-1' }, {}), {
    name: 's3',
    bucket: 'files',
    region: 'eu-central-1',
    endpoint: null,
    forcePathStyle: false,
    credentials: null,
    prefix: '',
    baseUrl: null,
    acl: null,
    cacheControl: null,
    partSize: 5 * MiB,
    parallelParts: 16,
    connectTimeout: 5000,
    idleTimeout: 30_000,
    maxAttempts: 3,
  })
})

t.test('the region', async t => {
  const regionOf = (options: S3Options, variables = {}) =>
    resolveSettings({ bucket: 'b', ...options }, variables).region
  t.equal(regionOf({ region: 'a' }, { AWS_REGION: 'b' }), 'a')
  t.equal(regionOf({}, { AWS_REGION: 'b', AWS_DEFAULT_REGION: 'c' }), 'b')
  t.equal(regionOf({}, { AWS_DEFAULT_REGION: 'c' }), 'c')
  t.equal(regionOf({ endpoint: 'http://minio:9000' }), 'us-east-1')
  t.same(mistakesOf({ bucket: 'b' }), ['region: is missing, and so is AWS_REGION'])
})

t.test('mistakes, all at once, and without the values of secrets', async t => {
  const cases: [unknown, string[]][] = [
    [{ region: 'a' }, ['bucket: is missing (in v4 params.Bucket)']],
    [{ buckt: 'b', region: 'a' }, ['buckt: is not known, did you mean "bucket"?']],
    [
      { bucket: 'b', regoin: 'a', forcePathStlye: true },
      ['regoin: is not known, did you mean "region"?', 'forcePathStlye: is not known, did you mean "forcePathStyle"?'],
    ],
    [
      { s3Options: { region: 'a', params: { Buckets: 'b' } } },
      ['s3Options.params.Buckets: is not known, did you mean "Bucket"?'],
    ],
    [
      { bucket: 'b', region: 'a', credentials: { accessKeyID: 'AKIAEXAMPLE' } },
      ['credentials.accessKeyID: is not known, did you mean "accessKeyId"?'],
    ],
    [{ bucket: 'b', region: 'a', credentials: { accessKeyId: 'x' } }, ['credentials.secretAccessKey: is missing']],
    [{ bucket: 'b', region: 'a', secretAccessKey: 'not-to-be-told' }, ['credentials.accessKeyId: is missing']],
    [
      { bucket: 'b', region: 'a', credentials: { ...credentials, secretAccessKey: 7 } },
      ['credentials.secretAccessKey: must be a string'],
    ],
    [{ bucket: 'b/c', region: 'a' }, ['bucket: must be a name; a folder in it belongs to prefix']],
    [
      { bucket: 'b', endpoint: 'https://x.example/files' },
      [
        'endpoint: must be a URL such as "https://s3.example.com", without a path',
        'region: is missing, and so is AWS_REGION',
      ],
    ],
    [
      { bucket: 'b', region: 'a', endpoint: 'ftp://x.example' },
      ['endpoint: must be a URL such as "https://s3.example.com", without a path'],
    ],
    [
      { bucket: 'b', region: 'a', baseUrl: 'cdn.example.com' },
      ['baseUrl: must be a URL with http or https, without a query string'],
    ],
    [{ bucket: 'b', region: 'a', prefix: '/a' }, ['prefix: must not begin with a slash']],
    [{ bucket: 'b', region: 'a', rootPath: 'a/../b' }, ['prefix: must not contain . or ..']],
    [{ bucket: 'b', region: 'a', partSize: MiB }, ['partSize: must be at least 5242880']],
    [{ bucket: 'b', region: 'a', maxAttempts: 0 }, ['maxAttempts: must be at least 1']],
    [{ bucket: 'b', region: 'a', signatureVersion: 'v2' }, ['signatureVersion: must be "v4"']],
    [{ bucket: 'b', region: 'a', s3Options: null }, ['s3Options: must be an object']],
    [{ bucket: 'b', region: 'a', params: 'b' }, ['params: must be an object']],
  ]
  for (const [options, expected] of cases) {
    const found = mistakesOf(options)
    t.same(
      found.map(one => one.replace('a text', 'a string')),
      expected,
      JSON.stringify(options),
    )
    t.notMatch(found.join(), 'not-to-be-told')
  }
  t.match(mistakesOf({ bucket: 'b', region: 'a', acl: 'public' })[0], /^acl: must be one of "private", "public-read", /)
  for (const nothing of [undefined, null, 'bucket', []]) t.ok(mistakesOf(nothing).length > 0, String(nothing))
})

t.test('v4', async t => {
  const common = { region: 'eu-central-1', params: { Bucket: 'files', ACL: 'private' as const, signedUrlExpires: 900 } }
  const expected = { bucket: 'files', region: 'eu-central-1', acl: 'private', credentials }
  const picked = (options: S3Options) => {
    const { bucket, region, acl, credentials: given } = resolveSettings(options, {})
    return JSON.parse(JSON.stringify({ bucket, region, acl, credentials: given }))
  }
  t.same(picked({ s3Options: { credentials, ...common } }), expected, 'below s3Options')
  t.same(picked({ s3Options: { ...credentials, ...common } }), expected)
  t.same(picked({ ...credentials, ...common }), expected, 'older')
  t.equal(picked({ ...common, params: { Bucket: 'b' } }).acl, 'public-read', 'v4 makes objects public')
  t.equal(
    picked({ ...common, params: { Bucket: 'b', ACL: undefined } }).acl,
    'public-read',
    'of a missing variable too',
  )
  t.equal(picked({ ...common, params: { Bucket: 'b', ACL: null } }).acl, null, 'unless it is told not to')
  const unset = { accessKeyId: undefined, secretAccessKey: undefined }
  t.equal(picked({ ...common, ...unset }).credentials, null, 'missing keys are those of the machine')
  t.equal(resolveSettings(common, {}).name, 'aws-s3', "the records are those of v4's provider")
  const spaces = resolveSettings(
    {
      ...credentials,
      endpoint: 'fra1.digitaloceanspaces.com',
      s3ForcePathStyle: true,
      signatureVersion: 'v4',
      rootPath: 'site/',
      baseUrl: 'https://cdn.example.com/',
      params: { Bucket: 'files' },
    },
    {},
  )
  t.equal(spaces.endpoint?.href, 'https://fra1.digitaloceanspaces.com/')
  t.match(spaces, { forcePathStyle: true, prefix: 'site/', baseUrl: 'https://cdn.example.com', region: 'us-east-1' })
  t.same(picked({ ...common, bucket: 'own', acl: 'public-read' }), {
    ...expected,
    bucket: 'own',
    acl: 'public-read',
    credentials: null,
  })
})

t.test('addresses', async t => {
  const addressOf = (options: S3Options, key = 'a b+grün.png') => s3Provider(options).urlOf(key)
  const encoded = 'a%20b%2Bgr%C3%BCn.png'
  const aws = { bucket: 'files', region: 'eu-central-1' }
  const cases: [S3Options, string][] = [
    [aws, `https://files.s3.eu-central-1.amazonaws.com/${encoded}`],
    [{ ...aws, prefix: 'my site/x' }, `https://files.s3.eu-central-1.amazonaws.com/my%20site/x/${encoded}`],
    [{ ...aws, forcePathStyle: true }, `https://s3.eu-central-1.amazonaws.com/files/${encoded}`],
    [{ ...aws, bucket: 'files.example.com' }, `https://s3.eu-central-1.amazonaws.com/files.example.com/${encoded}`],
    [{ ...aws, region: 'cn-north-1' }, `https://files.s3.cn-north-1.amazonaws.com.cn/${encoded}`],
    [{ ...aws, baseUrl: 'https://cdn.example.com/media/' }, `https://cdn.example.com/media/${encoded}`],
    [{ ...aws, baseUrl: 'https://cdn.example.com', rootPath: 'site' }, `https://cdn.example.com/site/${encoded}`],
    [
      { bucket: 'files', endpoint: 'https://fra1.digitaloceanspaces.com' },
      `https://files.fra1.digitaloceanspaces.com/${encoded}`,
    ],
    [{ bucket: 'files', endpoint: 'http://minio:9000', forcePathStyle: true }, `http://minio:9000/files/${encoded}`],
    [{ bucket: 'files', endpoint: 'http://127.0.0.1:9000' }, `http://127.0.0.1:9000/files/${encoded}`],
  ]
  for (const [options, expected] of cases) t.equal(addressOf(options), expected)
  t.equal(addressOf(aws, "it's (1)!*.png"), 'https://files.s3.eu-central-1.amazonaws.com/it%27s%20%281%29%21%2A.png')
})

t.test('the origins of addresses', async t => {
  const aws = { bucket: 'files', region: 'eu-central-1' }
  t.same(s3Provider(aws).origins, ['https://files.s3.eu-central-1.amazonaws.com'])
  t.same(s3Provider({ ...aws, baseUrl: 'https://cdn.example.com/media/' }).origins, ['https://cdn.example.com'])
  t.same(s3Provider({ bucket: 'files', endpoint: 'http://127.0.0.1:9000' }).origins, ['http://127.0.0.1:9000'])
})

t.test('the form of a module', async t => {
  t.equal(
    provider.init({ bucket: 'files', region: 'eu-central-1' }).urlOf('a'),
    'https://files.s3.eu-central-1.amazonaws.com/a',
  )
})
