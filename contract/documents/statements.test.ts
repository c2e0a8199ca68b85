// The statements of SQL in the documents are run by PostgreSQL, where tests have a server, in a transaction that is undone.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import { placed, readDocuments } from '@plinth/test-tools/documents'
import t from 'tap'

const examples = [...(await readDocuments())].flatMap(([document, text]) =>
  placed(document, text).filter(({ language }) => language === 'sql'),
)

const skip = !(await databases()).includes('postgres') && 'there is no PostgreSQL'

t.test('statements', { skip }, async t => {
  t.ok(examples.length > 0)
  const database = await freshDatabase('postgres')
  t.teardown(() => database.drop())
  /** Runs statements in place of the reader, with a role that no other test has. */
  const run = async (code: string) => {
    const opened = await database.open()
    try {
      await opened.run('BEGIN')
      await opened.run(code.replaceAll('library', 'plinth_documents'))
    } finally {
      // What is not committed is undone.
      await opened.close()
    }
  }
  for (const { code, place } of examples) await t.resolves(run(code), place)
  await t.rejects(run(examples[0]!.code.replace('CREATE SCHEMA', 'CREATE SCHEME')), /syntax error/)
})
