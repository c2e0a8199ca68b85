// The public surface of @plinth/testing.

export type { Caller, CallerRights, Callers } from './callers.ts'
export { createTestApp, type TestApp, type TestAppOptions } from './test-app.ts'
