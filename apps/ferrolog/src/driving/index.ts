/** A simulated node from its enrolment to the ending of its inspection, over the API. */
export * from './drive-node';
export * from './settle';
