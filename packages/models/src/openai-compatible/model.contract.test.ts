import { OPENAI_COMPATIBLE } from '../../test/families.js';
import { describeModelContract } from '../model.contract.js';

describeModelContract(OPENAI_COMPATIBLE);
