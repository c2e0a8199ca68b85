/** Random queries by both transports, and drafts, on PostgreSQL. */
import { testOn } from '@plinth/test-tools/on-server'

await testOn(
  'postgres',
  import.meta.dirname,
  'graphql/same-as-rest.test.ts',
  'property/drafts.test.ts',
  'property/entries.test.ts',
  'property/random-queries.test.ts',
)
