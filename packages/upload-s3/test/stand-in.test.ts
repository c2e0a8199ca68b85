// The stand-in is as strict as S3: requests of the SDK as it makes them by default pass, and changed ones do not. It also
// shows that the provider's addresses are those that the SDK sends to.

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { S3StandIn } from '@plinth/test-tools/s3'
import t, { type Test } from 'tap'
import { s3Provider } from '../src/index.ts'
import { errorOf, MiB } from './fixtures/storage.ts'

/** What the SDK has signed. */
interface Sent {
  readonly path: string
  readonly query: Record<string, string>
  readonly headers: Record<string, string>
}

async function standIn(t: Test): Promise<{ s3: S3StandIn; client: S3Client }> {
  const s3 = await S3StandIn.start()
  const { bucket: _, ...options } = s3.options
  const client = new S3Client({ ...options, maxAttempts: 1 })
  t.teardown(async () => {
    client.destroy()
    await s3.close()
  })
  return { s3, client }
}

t.test('bodies with a checksum in a header, and in chunks with a trailer', async t => {
  const { s3, client } = await standIn(t)
  const target = { Bucket: s3.bucket, Key: 'a b/ü' }
  await client.send(new PutObjectCommand({ ...target, Body: Buffer.from('text') }))
  t.equal(String(await s3.read('a b/ü')), 'text')
  const bytes = Buffer.alloc(300_000, 'x')
  const chunks = [bytes.subarray(0, 7), bytes.subarray(7, 100_000), bytes.subarray(100_000)]
  const Body = Readable.from(chunks, { objectMode: false })
  await client.send(new PutObjectCommand({ ...target, Body, ContentLength: bytes.length }))
  t.ok((await s3.read('a b/ü')).equals(bytes))
  const { Body: read } = await client.send(new GetObjectCommand(target))
  t.ok((await buffer(read as Readable)).equals(bytes))
})

t.test('what was changed on the way is refused', async t => {
  const { s3, client } = await standIn(t)
  const { accessKeyId } = s3.credentials
  t.equal((await fetch(`${s3.endpoint}/files/a`)).status, 403, 'no signature')
  const seen: { url: string; headers: Record<string, string> }[] = []
  client.middlewareStack.add(
    next => async args => {
      const { path, query, headers } = args.request as Sent
      seen.push({ url: `${s3.endpoint}${path}?${new URLSearchParams(query)}`, headers: { ...headers } })
      return next(args)
    },
    { step: 'finalizeRequest', priority: 'low', name: 'seen' },
  )
  await client.send(new PutObjectCommand({ Bucket: s3.bucket, Key: 'a', Body: Buffer.from('text'), ACL: 'private' }))
  const { url, headers } = seen[0]!
  const { host: _, 'content-length': __, expect: ___, ...kept } = headers
  const put = async (to: string, body: string, more: Record<string, string> = {}) => {
    const response = await fetch(to, { method: 'PUT', body, headers: { ...kept, ...more } })
    return [response.status, /<Code>(\w+)/.exec(await response.text())?.[1]]
  }
  t.same(await put(url, 'text'), [200, undefined], 'as it was')
  t.same(await put(url, 'tent'), [400, 'XAmzContentSHA256Mismatch'])
  t.same(await put(`${s3.endpoint}/files/b`, 'text'), [403, 'SignatureDoesNotMatch'])
  t.same(await put(`${url}&uploadId=1`, 'text'), [403, 'SignatureDoesNotMatch'])
  t.same(await put(url, 'text', { 'x-amz-acl': 'public-read' }), [403, 'SignatureDoesNotMatch'])
  t.same(await put(url, 'text', { 'x-amz-tagging': 'a=b' }), [403, 'AccessDenied'], 'a header that is not signed')
  t.same(await put(url, 'text', { 'x-amz-date': '20200101T000000Z' }), [403, 'RequestTimeTooSkewed'])
  const other = kept.authorization!.replace(accessKeyId, 'AKIAOTHER')
  t.same(await put(url, 'text', { authorization: other }), [403, 'InvalidAccessKeyId'])
  t.equal(String(await s3.read('a')), 'text')
  t.same(s3.keys, ['a'])
})

t.test('parts', async t => {
  const { s3, client } = await standIn(t)
  const target = { Bucket: s3.bucket, Key: 'a' }
  const begin = async () => ({
    ...target,
    UploadId: (await client.send(new CreateMultipartUploadCommand(target))).UploadId,
  })
  const part = async (upload: Awaited<ReturnType<typeof begin>>, PartNumber: number, size: number) => {
    const Body = Buffer.alloc(size, PartNumber)
    return { PartNumber, ETag: (await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }))).ETag }
  }
  const upload = await begin()
  const [first, second, third] = [await part(upload, 1, 5 * MiB), await part(upload, 2, 10), await part(upload, 3, 10)]
  const complete = (Parts: object[]) =>
    client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  t.equal((await errorOf(complete([first, second, third]))).name, 'EntityTooSmall')
  t.equal((await errorOf(complete([second, first]))).name, 'InvalidPartOrder')
  t.equal((await errorOf(complete([first, { ...second, ETag: '"0"' }]))).name, 'InvalidPart')
  t.same([s3.keys, s3.unfinished], [[], ['a']], 'there is no object before')
  await complete([first, third])
  t.equal(s3.object('a')!.size, 5 * MiB + 10)
  t.equal((await errorOf(complete([first, third]))).name, 'NoSuchUpload')
  const other = await begin()
  await client.send(new AbortMultipartUploadCommand(other))
  t.equal((await errorOf(part(other, 1, 10))).name, 'NoSuchUpload')
  t.same(s3.unfinished, [])
})

t.test('the address of a file is that of its requests', async t => {
  const hosts = async (options: object, bucket: string) => {
    const client = new S3Client({
      region: 'eu-central-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      ...options,
    })
    let address = ''
    client.middlewareStack.add(
      () => async args => {
        const { protocol, hostname, port, path } = args.request as Record<string, string>
        address = `${protocol}//${hostname}${port ? `:${port}` : ''}${path}`
        throw new Error('enough')
      },
      { step: 'finalizeRequest', priority: 'low', name: 'address' },
    )
    await errorOf(client.send(new GetObjectCommand({ Bucket: bucket, Key: 'my site/grün (1).png' })))
    return address
  }
  const all: [object, string][] = [
    [{}, 'files'],
    [{}, 'files.example.com'],
    [{ region: 'cn-north-1' }, 'files'],
    [{ forcePathStyle: true }, 'files'],
    [{ endpoint: 'https://fra1.digitaloceanspaces.com' }, 'files'],
    [{ endpoint: 'http://minio:9000', forcePathStyle: true }, 'files'],
    [{ endpoint: 'http://127.0.0.1:9000' }, 'files'],
    [{ endpoint: 'https://account.r2.cloudflarestorage.com' }, 'files'],
  ]
  for (const [options, bucket] of all) {
    const provider = s3Provider({ region: 'eu-central-1', ...options, bucket, prefix: 'my site' })
    t.equal(provider.urlOf('grün (1).png'), await hosts(options, bucket), JSON.stringify([options, bucket]))
  }
})
