// Defines the creators of entries, v4's administrators. They are readable only if a type sets `populateCreatorFields`
// (B-3.30).

import type { AttributeDefinition } from './content-type.ts'

export const creatorUid = 'admin::user'

/** The few attributes of v4's `admin_users` that may be answered. */
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

const toCreator = { type: 'relation', relation: 'oneToOne', target: creatorUid, useJoinTable: false, readonly: true }

/** Attributes added to types with `populateCreatorFields`; every type's table has their columns anyway. */
export const creatorAttributes: readonly (readonly [string, AttributeDefinition])[] = [
  ['createdBy', toCreator],
  ['updatedBy', toCreator],
]

/** Returns whether an attribute of this name leads to a creator, if its target is the type of creators. */
export const isCreatorName = (name: string): boolean => creatorAttributes.some(([one]) => one === name)
