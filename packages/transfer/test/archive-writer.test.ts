// An archive that is written in several runs.

import { appendFile, mkdtemp, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { ArchiveWriter, openArchive } from '../src/archive.ts'

const mtime = new Date(0)

async function contentOf(path: string): Promise<(readonly [string, string])[]> {
  const found: (readonly [string, string])[] = []
  for await (const file of (await openArchive(path, undefined)).files()) {
    const chunks: Buffer[] = []
    for await (const chunk of file.content) chunks.push(chunk)
    found.push([file.path, Buffer.concat(chunks).toString()])
  }
  return found
}

async function folder(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'plinth-transfer-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

for (const isCompressed of [true, false])
  await t.test(`continued at a checkpoint (${isCompressed ? 'compressed' : 'not compressed'})`, async t => {
    const path = join(await folder(t), 'archive')
    const first = await ArchiveWriter.open(path, { isCompressed, position: 0, mtime })
    const long = `${'very/'.repeat(30)}long.txt`
    await first.add(long, 'ü')
    // More than is collected before it is compressed.
    const many = Array.from({ length: 500_000 }, (_, i) => i).join()
    await first.addStream('many', many.length, Readable.from([Buffer.from(many)]))
    const position = await first.checkpoint()
    t.equal((await stat(path)).size, position)
    t.equal((await stat(path)).mode & 0o777, 0o600, 'only its owner reads it')
    await t.rejects(first.addStream('short', 9, Readable.from([Buffer.from('12345678')])), /has 8 bytes, and 9 were/)
    await first.close()
    await appendFile(path, 'what was written after the checkpoint')

    const second = await ArchiveWriter.open(path, { isCompressed, position, mtime })
    await second.add('last', 'end')
    t.equal(await second.end(), (await stat(path)).size)
    await second.close()
    const expected = [[long, 'ü'] as const, ['many', many] as const, ['last', 'end'] as const]
    t.same(await contentOf(path), expected)

    await truncate(path, position - 1)
    await t.rejects(ArchiveWriter.open(path, { isCompressed, position, mtime }), /were written: it was changed/)
    t.equal((await stat(path)).size, position - 1, 'and it stays as it is')
  })
