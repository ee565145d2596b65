/** What a logical disk of target_raid_config may say (contract: other-resources.md §7). Texts are for people. */
export const logicalDiskProperties: Readonly<Record<string, string>> = {
  raid_level: 'Required. RAID level of the logical disk: JBOD, 0, 1, 2, 5, 6, 1+0, 5+0 or 6+0.',
  size_gb: 'Required. Size in GiB as an integer, or MAX for all the space that is left.',
  volume_name: 'Name of the volume. Chosen by the driver when it is not given.',
  is_root_volume: 'True for the volume that the system is deployed to. At most one may be.',
  share_physical_disks: 'True when the disk may share its physical disks with other logical disks. Default: false.',
  disk_type: 'Kind of physical disks to use: hdd or ssd.',
  interface_type: 'Interface of the physical disks to use: sata, scsi or sas.',
  number_of_physical_disks: 'How many physical disks to use. Default: as few as the RAID level needs.',
  controller: 'Name of the RAID controller, as the driver calls it.',
  physical_disks: 'Physical disks to use, as the driver calls them.',
};
