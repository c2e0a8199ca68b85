/** Random questions and drafts on PostgreSQL. */
import { testOn } from './everywhere.ts'

await testOn('postgres', 'property/drafts.test.ts', 'property/entries.test.ts', 'property/questions.test.ts')
