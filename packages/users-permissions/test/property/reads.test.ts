// Random questions of random roles: the answer equals that of a database from which the rows and attributes have been
// deleted that the caller may not see. PLINTH_CASES sets how many questions there are, PLINTH_SEED repeats a run.

import { casesOf } from '@plinth/test-tools/cases'
import { testClient } from '@plinth/test-tools/databases'
import t from 'tap'
import { randomQuestion } from './questions.ts'
import { Random } from './random.ts'
import { mayDo, randomRole, randomUser } from './roles.ts'
import { fill, load, openBare, openContext, openGuarded, outcome, sightOf } from './rounds.ts'
import { names, uidOf } from './world.ts'

const cases = casesOf(testClient() === 'sqlite' ? 1000 : 200)
const first = Number(process.env.PLINTH_SEED ?? Date.now() % 2 ** 31)
const perRole = 50
const rolesPerRound = 4

t.test(`${cases} questions, PLINTH_SEED=${first}`, async t => {
  for (let done = 0, round = 0; done < cases; round++) {
    await t.test(`round ${round}`, async t => {
      const random = new Random(first + round)
      const roles = Array.from({ length: rolesPerRound }, (_, i) => randomRole(random, `role${i}`))
      const guarded = await openGuarded(t, roles)
      await fill(guarded.kernel, new Random(first + round))
      const world = await load(guarded.kernel)
      for (const role of roles) {
        const user = randomUser(random)
        const context = guarded.as(role.type, user)
        const bare = await openBare(t, sightOf(role, user, world), new Random(first + round))
        const roots = names.filter(name => mayDo(role, name, 'find'))
        for (let i = 0; i < perRole && roots.length > 0; i++, done++) {
          const root = random.pick(roots)
          const params = randomQuestion(random, root)
          const ask = (kernel: typeof bare, asker: typeof context) =>
            outcome(() => kernel.query(uidOf(root), asker).findPage(params))
          const found = await ask(guarded.kernel, context)
          const expected = await ask(bare, openContext(bare))
          if (found !== expected) {
            const shown = { root, params, user, rules: role.rules, permissions: role.permissions }
            t.equal(found, expected, `question ${i}: ${JSON.stringify(shown)}`)
            return
          }
          const id = random.between(1, 6)
          const { fields, populate } = params
          const one = (kernel: typeof bare, asker: typeof context) =>
            outcome(() =>
              kernel
                .query(uidOf(root), asker)
                .findOne(id, { ...(fields && { fields }), ...(populate && { populate }) }),
            )
          t.equal(await one(guarded.kernel, context), await one(bare, openContext(bare)), `entry ${id}`)
        }
      }
      t.pass(`${done} questions`)
    })
  }
})
