// Describes the routes of roles for documents of the API, with the names of v4's documentation (B-12.4).

import type { DescribedOperation, DescribedParameter, JsonSchema, SchemaTools } from '@plinth/server/transport'
import { roleUid } from './types.ts'

const tag = 'Users-Permissions - Users & Roles'

/** A role as it is answered. */
export const describeRole = (tools: SchemaTools): JsonSchema => tools.entry(roleUid, 'Users-Permissions-Role')

/** Actions by the part of the application and the controller that they belong to. */
function treeOf(tools: SchemaTools): JsonSchema {
  const leaf = {
    type: 'object',
    required: ['enabled'],
    properties: { enabled: { type: 'boolean' }, policy: { type: 'string' } },
  }
  const controllers = {
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: leaf },
  }
  return tools.named('Users-Permissions-PermissionsTree', {
    type: 'object',
    additionalProperties: { type: 'object', required: ['controllers'], properties: { controllers } },
  })
}

function bodyOf(tools: SchemaTools, required: readonly string[]): JsonSchema {
  return {
    type: 'object',
    required,
    properties: {
      name: { type: 'string', minLength: 3 },
      description: { type: 'string' },
      type: { type: 'string' },
      permissions: treeOf(tools),
    },
  }
}

/** A role whose relation `permissions` is replaced by the tree. */
const roleWithTree = (tools: SchemaTools): JsonSchema => ({
  type: 'object',
  required: ['id', 'name', 'permissions'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    description: { type: ['string', 'null'] },
    type: { type: ['string', 'null'] },
    declaredPermissions: { type: 'array', items: { type: 'string' } },
    permissions: treeOf(tools),
  },
  additionalProperties: true,
})

const inPath = (name: string): DescribedParameter => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer' },
})

const done = {
  200: {
    description: 'OK',
    schema: { type: 'object', required: ['ok'], properties: { ok: { const: true } } },
  },
} as const

const answer = (properties: Readonly<Record<string, JsonSchema>>) => ({
  200: { description: 'OK', schema: { type: 'object', required: Object.keys(properties), properties } },
})

/** The routes by what they do. Bodies and answers have no outer `data`. */
export const describeRoles = {
  find: tools => {
    const count = { type: 'object', required: ['nb_users'], properties: { nb_users: { type: 'integer' } } }
    const roles = { type: 'array', items: { allOf: [describeRole(tools), count] } }
    return { tag, summary: 'List the roles', answers: answer({ roles }) }
  },
  findOne: tools => ({
    tag,
    summary: 'Read one of the roles',
    parameters: [inPath('id')],
    answers: answer({ role: roleWithTree(tools) }),
  }),
  create: tools => ({
    tag,
    summary: 'Create one of the roles',
    body: { content: { 'application/json': bodyOf(tools, ['name']) } },
    answers: done,
  }),
  update: tools => ({
    tag,
    summary: 'Update one of the roles',
    parameters: [inPath('role')],
    body: { content: { 'application/json': bodyOf(tools, []) } },
    answers: done,
  }),
  delete: () => ({ tag, summary: 'Delete one of the roles', parameters: [inPath('role')], answers: done }),
  permissions: tools => ({
    tag,
    summary: 'List the actions',
    answers: answer({ permissions: treeOf(tools) }),
  }),
} satisfies Readonly<Record<string, (tools: SchemaTools) => DescribedOperation>>
