// Mistakes in rules stop the start, with their place and the nearest right word.

import t from 'tap'
import { action, start } from '../fixtures/newsroom.ts'

const find = action('article', 'find')

/** What a rule makes the start say, after the place of the rule. */
const mistakes: readonly (readonly [rule: object, message: string])[] = [
  [
    { action: find, where: { tilte: 'x' } },
    '.where.tilte: api::article.article has no attribute "tilte", did you mean "title"?',
  ],
  [
    { action: find, where: { writer: { nmae: 'x' } } },
    '.where.writer.nmae: api::writer.writer has no attribute "nmae", did you mean "name"?',
  ],
  [{ action: find, where: { title: { $eqq: 'x' } } }, '.where.title.$eqq: unknown operator $eqq, did you mean "$eq"?'],
  [{ action: find, where: { $eq: 'x' } }, '.where.$eq: an operator must be below an attribute'],
  [{ action: find, where: { title: '$usr.id' } }, '.where.title: "$usr.id" is not known, did you mean "$user.id"?'],
  [
    { action: find, where: { title: '$today' } },
    '.where.title: "$today" is not known; there are $user.<path> and $now',
  ],
  [
    { action: find, where: { title: '$user' } },
    '.where.title: "$user" does not name an attribute of the user, as "$user.id" does',
  ],
  [
    { action: find, where: { title: '$user.usernam' } },
    '.where.title: "$user.usernam": plugin::users-permissions.user has no attribute "usernam", did you mean "username"?',
  ],
  [
    { action: find, where: { title: '$user.team' } },
    '.where.title: "$user.team": "team" of plugin::users-permissions.user is not a value; name one of its attributes, such as "$user.team.id"',
  ],
  [
    { action: find, where: { title: '$user.confirmationToken' } },
    '.where.title: "$user.confirmationToken": "confirmationToken" of plugin::users-permissions.user is secret',
  ],
  [
    { action: find, where: { title: '$user.password' } },
    '.where.title: "$user.password": "password" of plugin::users-permissions.user is secret',
  ],
  [
    { action: find, where: { id: '$user.teams.id' } },
    '.where.id: $user.teams.id may have several values: compare by $in or $notIn',
  ],
  [
    { action: find, where: { pages: '$user.username' } },
    '.where.pages: pages is a number, but $user.username is a text',
  ],
  [{ action: find, where: { pages: '$now' } }, '.where.pages: $now is a date and time, but pages is a number'],
  [{ action: find, where: { pages: 'many' } }, '.where.pages: pages is a number, but the value is "many"'],
  [{ action: find, where: { isOpen: 'yes' } }, '.where.isOpen: isOpen is true or false, but the value is "yes"'],
  [{ action: find, where: { day: '1.5.2024' } }, '.where.day: day is a date, but the value is "1.5.2024"'],
  [{ action: find, where: { state: 'drft' } }, '.where.state: "drft" is not a value of state, did you mean "draft"?'],
  [
    { action: find, where: { pages: { $contains: true } } },
    '.where.pages.$contains: the operand of $contains is a text, but the value is true',
  ],
  [
    { action: find, where: { title: undefined } },
    '.where.title: is undefined: a value that is missing would restrict nothing',
  ],
  [
    { action: find, where: { title: { $in: ['x', undefined] } } },
    '.where.title.$in[1]: is undefined: a value that is missing would restrict nothing',
  ],
  [
    { action: find, where: { title: { $in: [null] } } },
    '.where.title.$in[0]: null cannot be compared; use $null or $notNull',
  ],
  [{ action: find, where: { pages: { $between: [1] } } }, '.where.pages.$between: takes a list of two values'],
  [{ action: find, where: { pages: { $null: 'false' } } }, '.where.pages.$null: expected true or false'],
  [{ action: find, where: {} }, '.where: has no condition'],
  [{ action: find, where: { writer: {} } }, '.where.writer: has no condition'],
  [{ action: find, where: { $or: [] } }, '.where.$or: has no condition'],
  [{ action: find, where: { $or: [{}] } }, '.where.$or[0]: has no condition'],
  [{ action: find, where: { $and: { title: 'x' } } }, '.where.$and: expected a list'],
  [
    { action: find, where: { title: { name: 'x' } } },
    '.where.title.name: the attribute above is a scalar, which has no attributes',
  ],
  [{ action: find, where: { hash: 'x' } }, '.where.hash: "hash" is secret and cannot be compared'],
  [
    { action: find, where: { blocks: { metaTitle: 'x' } } },
    '.where.blocks: "blocks" may lead to entries of several types, or of none, which a rule cannot follow',
  ],
  [
    { action: find, fields: ['secrets'] },
    '.fields[0]: api::article.article has no attribute "secrets", did you mean "secret"?',
  ],
  [{ action: find, fields: ['id'] }, '.fields[0]: the id cannot be hidden'],
  [{ action: find }, ': has no effect: it needs where, check or fields'],
  [{ action: find, check: { title: 'x' } }, '.check: has no effect: only creations and updates are checked'],
  [{ action: action('article', 'delete'), fields: ['title'] }, '.fields: has no effect on a deletion'],
  [
    { action: 'plugin::users-permissions.permissions.getPermissions', where: { id: 1 } },
    '.action: "plugin::users-permissions.permissions.getPermissions" is not an action that finds, creates, updates or deletes entries of a content type',
  ],
]

t.test('a mistake stops the start', async t => {
  for (const [rule, message] of mistakes) {
    const told = `config/plugins: users-permissions.config.rules.public[0]${message}`
    await t.rejects(start(t, { rules: { public: [rule as never] } }), { code: 'PLINTH_PLUGIN_CONFIG', message: told })
  }
})

t.test('all mistakes are reported at once', async t => {
  const rules = {
    public: [{ action: find, where: { a: 1 } }, { action: find, where: { title: 'x' } }, { action: find }],
  }
  await t.rejects(start(t, { rules }), { message: /rules\.public\[0\].*\n.*rules\.public\[2\]/ })
})

t.test('an action that does not exist', async t => {
  await t.rejects(start(t, { rules: { public: [{ action: action('article', 'fnd'), where: { id: 1 } }] } }), {
    message: /rules\.public\[0\]\.action: .*api::article\.article\.find/,
  })
  await t.rejects(start(t, { permissions: { public: ['api::artcle.article.find'] } }), {
    message: /permissions\.public\[0\]: .*api::article\.article\.find/,
  })
})

t.test('a role that does not exist', async t => {
  await t.rejects(start(t, { rules: { publik: [{ action: find, where: { id: 1 } }] } }), {
    message: 'config/plugins: users-permissions.config.rules.publik: there is no such role, did you mean "public"?',
  })
})
