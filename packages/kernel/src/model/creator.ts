// Who made an entry: v4's administrators, readable only where a type asks for it with `populateCreatorFields` (B-3.30).

import type { AttributeDefinition } from './content-type.ts'

/** The few attributes of v4's `admin_users` that may leave the service. */
export const creatorType = {
  kind: 'collectionType',
  collectionName: 'admin_users',
  info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
  attributes: {
    firstname: { type: 'string' },
    lastname: { type: 'string' },
    username: { type: 'string' },
    preferedLanguage: { type: 'string', columnName: 'prefered_language' },
    createdAt: { type: 'datetime' },
    updatedAt: { type: 'datetime' },
  },
}

const toCreator = { type: 'relation', relation: 'oneToOne', target: 'admin::user', useJoinTable: false, readonly: true }

/** Added to types with `populateCreatorFields`; their columns exist in every type's table anyway. */
export const creatorAttributes: readonly (readonly [string, AttributeDefinition])[] = [
  ['createdBy', toCreator],
  ['updatedBy', toCreator],
]
