/** Random questions and drafts on MariaDB or MySQL. */
import { testOn } from './everywhere.ts'

await testOn('mysql', 'property/drafts.test.ts', 'property/entries.test.ts', 'property/questions.test.ts')
