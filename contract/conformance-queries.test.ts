/** Replays the recorded suites about queries. */

import t from 'tap'
import { isOfQueries } from './conformance.ts'
import { testSuites } from './conformance-part.ts'

testSuites(t, 'the recorded suites about queries', isOfQueries)
