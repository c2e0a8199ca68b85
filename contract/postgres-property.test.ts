/** Random queries and drafts on PostgreSQL. */
import { testOn } from '@plinth/test-tools/on-server'

await testOn(
  'postgres',
  import.meta.dirname,
  'property/drafts.test.ts',
  'property/entries.test.ts',
  'property/random-queries.test.ts',
)
