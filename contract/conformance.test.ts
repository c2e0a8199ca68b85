/** Replays the recorded suites that are not about queries (conformance-queries.test.ts). */

import t from 'tap'
import { isOfQueries } from './conformance.ts'
import { testSuites } from './conformance-part.ts'

testSuites(t, 'the recorded suites', suite => !isOfQueries(suite))
